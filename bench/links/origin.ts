/** Storages in their own process: a slow file server and a slow cloud drive that know every file, and a silent file server. */
import { fork } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fileAt, nameOf } from './file-server-files.js';

/** From the end of a request to its response. */
export const LATENCY_MS = 50;
const SILENCE_MS = 60_000;

export const FILES_INFO = '/ocs/v1.php/apps/integration_openproject/filesinfo';
/** The data of one file, by its id. */
export const FILE_INFO = '/ocs/v1.php/apps/integration_openproject/fileinfo/';
export const BATCH = '/v1.0/$batch';

export interface Addresses {
  /** Addresses of the file server and of the cloud, e.g. `http://127.0.0.1:40123`. */
  healthy: string;
  silent: string;
  /** A closed port. */
  dead: string;
}

export interface Origin {
  addresses: Addresses;
  /** The number of calls since the last time. */
  calls(): Promise<number>;
  /** Renames all files. */
  rename(): Promise<void>;
  stop(): void;
}

type Question = 'calls' | 'rename';

/** Starts the storages as a child process. */
export async function startOrigin(latencyMs = LATENCY_MS): Promise<Origin> {
  const child = fork(fileURLToPath(import.meta.url), [String(latencyMs)], {
    execArgv: process.execArgv,
  });
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      const ended = () => reject(new Error('The storages ended.'));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        resolve(message as T);
      });
    });
  const ask = <T>(question: Question): Promise<T> => {
    const answer = next<T>();
    child.send(question);
    return answer;
  };
  return {
    addresses: await next<Addresses>(),
    calls: () => ask('calls'),
    rename: async () => void (await ask('rename')),
    stop: () => void child.kill('SIGTERM'),
  };
}

let calls = 0;
let generation = 0;

const name = (id: string) => nameOf(id, generation);

const fileServerFile = (id: string) => fileAt(id, generation);

const driveFile = (id: string) => ({
  id,
  name: name(id),
  size: 123_456,
  createdDateTime: '2026-01-02T03:04:05Z',
  lastModifiedDateTime: '2026-02-03T04:05:06Z',
  webUrl: `https://drive.example.test/Projects/${id}.pdf`,
  createdBy: { user: { displayName: 'Mia Ray' } },
  lastModifiedBy: { user: { displayName: 'Mia Ray' } },
  file: { mimeType: 'application/pdf' },
  parentReference: { id: '01PARENT', path: '/drives/b!drive/root:/Projects' },
});

const ocs = (data: object) => ({
  ocs: { meta: { status: 'ok', statuscode: 100, message: 'OK' }, data },
});

/** The response. Undefined for an unknown address. */
function answerTo(path: string, body: string): object | undefined {
  if (path === FILES_INFO)
    return ocs(
      Object.fromEntries(
        (JSON.parse(body) as { fileIds: number[] }).fileIds.map((id) => [
          id,
          fileServerFile(String(id)),
        ]),
      ),
    );
  if (path.startsWith(FILE_INFO)) return ocs(fileServerFile(path.slice(FILE_INFO.length)));
  if (path === BATCH)
    return {
      responses: (JSON.parse(body) as { requests: { id: string; url: string }[] }).requests.map(
        ({ id, url }) => ({
          id,
          status: 200,
          headers: { 'Content-Type': 'application/json' },
          body: driveFile(/\/items\/([^?]+)/.exec(url)![1]!),
        }),
      ),
    };
  return undefined;
}

async function serve(req: IncomingMessage, res: ServerResponse, waitMs: number): Promise<void> {
  calls += 1;
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const answer = answerTo(req.url ?? '', Buffer.concat(chunks).toString());
  const text = Buffer.from(JSON.stringify(answer ?? {}));
  if (waitMs > 0) await sleep(waitMs);
  res.writeHead(answer ? 200 : 404, {
    'content-type': 'application/json',
    'content-length': text.byteLength,
  });
  res.end(text);
}

async function listening(waitMs: number): Promise<{ server: Server; address: string }> {
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (req, res) => void serve(req, res, waitMs),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function main(): Promise<void> {
  const [healthy, silent, dead] = await Promise.all([
    listening(Number(process.argv[2])),
    listening(SILENCE_MS),
    listening(0),
  ]);
  await new Promise((resolve) => dead.server.close(resolve));
  process.on('message', (question: Question) => {
    if (question === 'rename') generation += 1;
    process.send!(calls);
    calls = 0;
  });
  process.once('disconnect', () => process.exit(0));
  process.send!({
    healthy: healthy.address,
    silent: silent.address,
    dead: dead.address,
  } satisfies Addresses);
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) await main();
