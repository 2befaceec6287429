/** Starts the searched server and its storage, and measures requests. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabases } from '../fuzz/requests/databases.js';
import { Wire } from '../fuzz/requests/wire.js';
import type { Cost } from './budgets.js';
import type { Sent } from './way.js';
import type { Ids } from './world.js';

const MIB = 1024 * 1024;

export interface Measured {
  cost: Cost;
  status: number | undefined;
}

/** By then, the server has filled the buffers of a connection. */
const UNREAD_MS = 1_000;
/** Work that nobody stops is seen by then. */
const LEFT_MS = 2_000;

export class Subject {
  readonly #unread: Socket[] = [];

  private constructor(
    private readonly child: ChildProcess,
    private readonly wire: Wire,
    readonly ids: Ids,
    private readonly storage: AnsweringStorage,
    private readonly release: () => Promise<void>,
  ) {}

  static async start(database: string): Promise<Subject> {
    const folder = mkdtempSync(join(tmpdir(), 'moorage-abuse-'));
    const [storage, databases] = await Promise.all([
      AnsweringStorage.start(),
      openDatabases(database),
    ]);
    const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), {
      execArgv: [...process.execArgv, '--expose-gc'],
      env: {
        ...process.env,
        ABUSE_FOLDER: folder,
        ABUSE_STORAGE: storage.url,
        ABUSE_DATABASE: (await databases.fresh()) ?? '',
      },
    });
    const started = (await answerOf(child)) as { address: string; ids: Ids };
    return new Subject(child, new Wire(started.address), started.ids, storage, async () => {
      await Promise.all([storage.close(), databases.stop()]);
      rmSync(folder, { recursive: true, force: true });
    });
  }

  /** Sends the requests and measures the last one, with what it causes at the readers before it. */
  async measure(requests: readonly Sent[]): Promise<Measured> {
    let watched = false;
    for (const request of requests.slice(0, -1))
      if (request.readers) {
        watched = true;
        await this.#readNothing(request, request.readers);
      } else await this.#send(request);
    const last = requests.at(-1);
    if (!last) throw new Error('There is nothing to send.');
    this.child.send('begin');
    await answerOf(this.child);
    const reply = last.readers
      ? await this.#readNothing(last, last.readers)
      : await this.#send(last);
    if (watched) await sleep(UNREAD_MS);
    // The event loop must turn once more before its delay is known.
    await sleep(2);
    this.child.send('end');
    const spent = (await answerOf(this.child)) as Omit<Cost, 'answer'>;
    this.#hangUp();
    return {
      cost: { ...spent, answer: (reply?.bytes.length ?? 0) / MIB },
      status: reply?.status,
    };
  }

  async stop(): Promise<void> {
    this.wire.close();
    const ended = once(this.child, 'exit');
    if (this.child.connected) this.child.send('stop');
    await ended;
    await this.release();
  }

  /** Waits until the server has written what it writes. The connections stay open. */
  async #readNothing(
    { method, path, headers = {}, body = '', times = 1, leaveAfter }: Sent,
    readers: number,
  ): Promise<undefined> {
    const { hostname, port } = new URL(this.wire.address);
    for (let count = 0; count < readers; count += 1) {
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => undefined);
      const all = { host: hostname, authorization: `Bearer ${this.ids.key}`, ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      const request = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
      socket.write(request.repeat(times));
      socket.write(body);
      this.#unread.push(socket);
    }
    if (leaveAfter !== undefined) {
      await sleep(leaveAfter);
      this.#hangUp();
      await sleep(LEFT_MS);
    }
    await sleep(UNREAD_MS);
    return undefined;
  }

  #hangUp(): void {
    for (const socket of this.#unread.splice(0)) socket.destroy();
  }

  async #send({ method, path, headers = {}, body, storageAnswer, folderAnswer }: Sent) {
    this.storage.folderAnswer = folderAnswer;
    this.storage.answer = storageAnswer ?? Buffer.alloc(0);
    const wanted = {
      operation: path,
      method,
      path,
      headers: { authorization: `Bearer ${this.ids.key}`, ...headers },
      ...(body !== undefined && { body: Buffer.from(body as string) }),
      reads: true,
    };
    try {
      return await this.wire.ask(wanted);
    } catch (error) {
      // The server may close the connection on a broken request. It may not end.
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error('The server has ended.', { cause: error });
      return undefined;
    }
  }
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null, signal: string | null) =>
      reject(new Error(`The server has ended: ${code ?? signal}.`));
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.off('exit', ended);
      resolve(answer);
    });
  });
}

/** A storage that answers every request with the same bytes. */
class AnsweringStorage {
  answer: Buffer = Buffer.alloc(0);
  folderAnswer: Buffer | undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      request.resume();
      const isList = request.url?.includes('/children') ?? false;
      const answer = (isList ? undefined : this.folderAnswer) ?? this.answer;
      const isXml = answer.subarray(0, 1).toString() === '<';
      response.writeHead(isXml ? 207 : 200, {
        'content-type': isXml ? 'application/xml; charset=utf-8' : 'application/json',
      });
      response.end(answer);
    });
  }

  static async start(): Promise<AnsweringStorage> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AnsweringStorage(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
  }
}
