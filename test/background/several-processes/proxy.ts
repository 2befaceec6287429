/** A round-robin proxy in front of several servers, as operators run one: HTTP/1.1, with readiness checks. */
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface Proxy {
  /** E.g. `http://127.0.0.1:40123`. */
  url: string;
  /** Responses by target, in their order. */
  answered: readonly number[];
  close(): Promise<void>;
}

const INTERVAL_MS = 250;

/** @param targets base addresses. An idempotent request without an answer goes to the next one. Other requests get 502. */
export async function startProxy(targets: readonly string[]): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const answered = targets.map(() => 0);
  let turn = 0;
  const ready = targets.map(() => true);
  const look = () =>
    Promise.all(
      targets.map(async (target, index) => {
        ready[index] = await fetch(`${target}/health/ready`, {
          headers: { connection: 'close' },
        }).then(
          ({ ok }) => ok,
          () => false,
        );
      }),
    );
  const looking = setInterval(() => void look(), INTERVAL_MS);
  const forward = (
    req: IncomingMessage,
    res: ServerResponse,
    first: number,
    attempts: number,
  ): void => {
    const turns = targets.map((_target, n) => (first + attempts + n) % targets.length);
    const index = turns.find((one) => ready[one]) ?? turns[0]!;
    const idempotent = req.method === 'GET' || req.method === 'HEAD';
    // Requests that cannot be repeated use a new connection: a kept one may close at any time.
    const onward = request(targets[index]! + req.url, {
      method: req.method,
      headers: { ...req.headers, connection: idempotent ? 'keep-alive' : 'close' },
      agent: idempotent && agent,
    });
    if (idempotent) onward.end();
    else req.pipe(onward);
    onward.once('response', (answer) => {
      answered[index]! += 1;
      const { connection: _hop, 'keep-alive': _by, ...headers } = answer.headers;
      res.writeHead(answer.statusCode!, headers);
      res.flushHeaders();
      pipeline(answer, res, () => undefined);
    });
    onward.on('error', () => {
      if (res.headersSent) res.destroy();
      else if (idempotent && attempts > 1 && !res.destroyed) forward(req, res, first, attempts - 1);
      else res.writeHead(502).end();
    });
    res.once('close', () => onward.destroy());
  };
  const server = createServer((req, res) => forward(req, res, (turn += 1), 2 * targets.length));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      clearInterval(looking);
      server.close(() => resolve());
      server.closeAllConnections();
      agent.destroy();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answered, close };
}
