/** A plain round-robin proxy in front of several servers: HTTP/1.1, no health checks. */
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface Proxy {
  /** e.g. `http://127.0.0.1:40123` */
  url: string;
  /** Answers by target, in their order. */
  answered: readonly number[];
  close(): Promise<void>;
}

/** @param targets base addresses; a request goes on to the next one where its connection was refused or ended before its body was asked for, an idempotent one also where it ended without an answer; else it is answered with 502 */
export async function startProxy(targets: readonly string[]): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const answered = targets.map(() => 0);
  let turn = 0;
  const forward = (req: IncomingMessage, res: ServerResponse, first: number, attempts: number): void => {
    const index = (first + attempts) % targets.length;
    const idempotent = req.method === 'GET' || req.method === 'HEAD';
    // What cannot be repeated takes a connection of its own, and waits with its body until the server asks for it: without the body nothing was done.
    const hop = idempotent ? { connection: 'keep-alive' } : { connection: 'close', expect: '100-continue' };
    const onward = request(targets[index]! + req.url, { method: req.method, headers: { ...req.headers, ...hop }, agent: idempotent && agent });
    let sent = false;
    if (idempotent) onward.end();
    else onward.once('continue', () => { sent = true; req.pipe(onward); });
    onward.once('response', (answer) => {
      answered[index]! += 1;
      const { connection: _hop, 'keep-alive': _by, ...headers } = answer.headers;
      res.writeHead(answer.statusCode!, headers);
      res.flushHeaders();
      pipeline(answer, res, () => undefined);
    });
    onward.on('error', () => {
      if (res.headersSent) res.destroy();
      else if ((idempotent || !sent) && attempts > 1 && !res.destroyed) forward(req, res, first, attempts - 1);
      else res.writeHead(502).end();
    });
    res.once('close', () => onward.destroy());
  };
  const server = createServer((req, res) => forward(req, res, turn += 1, 2 * targets.length));
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const close = () => new Promise<void>((resolve) => { server.close(() => resolve()); server.closeAllConnections(); agent.destroy(); });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answered, close };
}
