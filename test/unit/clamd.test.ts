import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openScanner } from '../../src/scanning/index.js';
import {
  FileNotScannable,
  ScannerUnavailable,
  type Scanner,
  type ScannerAddress,
} from '../../src/scanning/scanner.js';
import { describeClamd, EICAR, EICAR_SIGNATURE, startClamd, type Clamd } from '../support/clamd.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../support/jest.js';
import { freePort } from '../support/postgres.js';

const MIB = 1024 * 1024;
const CLEAN = { clean: true };
const INFECTED = { clean: false, signature: EICAR_SIGNATURE };

async function* pieces(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

async function* zeros(bytes: number, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let rest = bytes; rest > 0; rest -= size) yield Buffer.alloc(Math.min(size, rest));
}

/** Yields once, then waits forever. */
async function* stalled(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('x');
  await new Promise(() => undefined);
}

async function* broken(error: Error, ...parts: string[]): AsyncGenerator<Uint8Array> {
  yield* pieces(...parts);
  throw error;
}

describeClamd('a real clamd', () => {
  let clamd: Clamd;
  let scanners: { [kind: string]: Scanner };
  beforeAll(async () => {
    clamd = await startClamd();
    scanners = { tcp: openScanner(clamd.tcp), unix: openScanner(clamd.unix) };
  });
  afterAll(() => clamd?.stop());

  describe.each(['tcp', 'unix'])('over %s', (kind) => {
    const scan = (content: AsyncIterable<Uint8Array>) => scanners[kind]!.scan(content);

    test('calls harmless content clean', async () =>
      expect(await scan(pieces('hello ', 'world'))).toEqual(CLEAN));

    test('finds a virus and returns its signature', async () =>
      expect(await scan(pieces(EICAR))).toEqual(INFECTED));

    test('finds a virus in the middle of megabytes', async () => {
      expect(await scan(pieces(Buffer.alloc(3 * MIB), EICAR, Buffer.alloc(MIB)))).toEqual(INFECTED);
    });

    test('finds a virus across two frames', async () => {
      expect(
        await scan(
          pieces(Buffer.alloc(256 * 1024 - 30), EICAR.subarray(0, 10), EICAR.subarray(10)),
        ),
      ).toEqual(INFECTED);
    });

    test('finds a virus that arrives byte by byte', async () =>
      expect(await scan(pieces(...Array.from(EICAR, (byte) => Buffer.of(byte))))).toEqual(
        INFECTED,
      ));

    test('finds a virus after an empty piece, which does not end the content', async () =>
      expect(await scan(pieces('x', '', EICAR))).toEqual(INFECTED));

    test('finds a virus in content that uses one buffer for all its pieces', async () => {
      async function* reused() {
        const one = Buffer.alloc(300_000);
        for (let n = 0; n < 5; n += 1) {
          one.fill(n);
          if (n === 2) EICAR.copy(one, 150_000);
          yield one;
        }
      }
      expect(await scan(reused())).toEqual(INFECTED);
    });

    test('calls empty content clean', async () => expect(await scan(pieces())).toEqual(CLEAN));

    test('accepts 20 MB', async () => expect(await scan(zeros(20_000_000))).toEqual(CLEAN));

    test('accepts a stream', async () =>
      expect(await scan(Readable.from(zeros(MIB)))).toEqual(CLEAN));

    test('runs ten scans at the same time', async () => {
      const verdicts = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          scan(pieces(Buffer.alloc(n * 100_000), n % 2 ? EICAR : 'fine')),
        ),
      );
      expect(verdicts).toEqual(Array.from({ length: 10 }, (_, n) => (n % 2 ? INFECTED : CLEAN)));
    });

    test('gives no verdict if the content fails', async () => {
      const error = new Error('the disk broke');
      await expect(scan(broken(error, 'harmless'))).rejects.toBe(error);
      await expect(scan(broken(error))).rejects.toBe(error);
    });

    test('returns its version', async () =>
      expect(await scanners[kind]!.check()).toEqual({
        version: expect.stringMatching(/^ClamAV \d+\.\d+/),
      }));
  });

  test('is reported as down after it has stopped', async () => {
    const other = await startClamd();
    await other.stop();
    for (const address of [other.tcp, other.unix]) {
      await expect(openScanner(address).check()).rejects.toThrow(ScannerUnavailable);
      await expect(openScanner(address).scan(pieces('x'))).rejects.toThrow(ScannerUnavailable);
    }
  });
});

describeClamd('a real clamd that takes 1 MiB', () => {
  let clamd: Clamd;
  beforeAll(async () => {
    clamd = await startClamd({ streamMaxLength: MIB });
  });
  afterAll(() => clamd?.stop());

  describe.each(['tcp', 'unix'] as const)('over %s', (kind) => {
    const scan = (content: AsyncIterable<Uint8Array>) => openScanner(clamd[kind]).scan(content);

    test('accepts exactly 1 MiB', async () => expect(await scan(zeros(MIB))).toEqual(CLEAN));

    test.each([MIB + 1, 2 * MIB, 50 * MIB])('refuses %d bytes', async (bytes) => {
      const refused = scan(zeros(bytes));
      await expect(refused).rejects.toThrow(FileNotScannable);
      await expect(refused).rejects.toThrow('StreamMaxLength');
    });

    test('gives its error even if it closes before the client reads it', async () => {
      async function* content() {
        for (let n = 0; n < 20; n += 1) {
          // Blocks the process, so that the next write comes before the next read.
          if (n > 4) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
          yield Buffer.alloc(256 * 1024);
        }
      }
      await expect(scan(content())).rejects.toThrow(FileNotScannable);
    });

    test('gives its error even if the content stalls', async () => {
      async function* content() {
        yield Buffer.alloc(2 * MIB);
        yield* stalled();
      }
      await expect(scan(content())).rejects.toThrow(FileNotScannable);
    });
  });
});

describe('a daemon that misbehaves', () => {
  let close: () => Promise<unknown> = () => Promise.resolve();
  afterEach(() => close());

  /** A server on loopback that handles each connection with the given function. */
  async function daemon(
    serve: (socket: Socket) => void,
  ): Promise<ScannerAddress & { port: number }> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      serve(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    close = () => {
      for (const socket of sockets) socket.destroy();
      return once(server.close(), 'close');
    };
    return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  }

  /** Answers when the content ends, which must end in `x`. */
  const answering = (answer: string | Buffer) =>
    daemon((socket) => {
      let tail = Buffer.alloc(0);
      socket.on('data', (bytes: Buffer) => {
        tail = Buffer.concat([tail, bytes]).subarray(-5);
        if (tail.equals(Buffer.from('x\0\0\0\0'))) socket.end(answer);
      });
    });

  const short = { connect: 200, progress: 200, verdict: 200 };

  test('refuses connections', async () => {
    const address = { host: '127.0.0.1', port: await freePort() };
    await expect(openScanner(address).scan(pieces('x'))).rejects.toThrow(ScannerUnavailable);
    await expect(openScanner(address).check()).rejects.toThrow(
      `The connection to the virus scanner failed (ECONNREFUSED) (CLAMD_URL: 127.0.0.1:${address.port}).`,
    );
    await expect(openScanner({ path: '/nowhere/clamd.socket' }).check()).rejects.toThrow('ENOENT');
  });

  test('accepts no connection', async () => {
    const worker = new Worker(
      `
      const { parentPort } = require('node:worker_threads');
      const server = require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
        parentPort.postMessage(server.address().port);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      });
    `,
      { eval: true },
    );
    const [port] = (await once(worker, 'message')) as [number];
    const filling = Array.from({ length: 5 }, () =>
      connect(port, '127.0.0.1').on('error', () => undefined),
    );
    await sleep(100);
    await expect(openScanner({ host: '127.0.0.1', port }, short).scan(pieces('x'))).rejects.toThrow(
      new ScannerUnavailable(
        `The virus scanner accepted no connection for 0.2 s (CLAMD_URL: 127.0.0.1:${port}).`,
      ),
    );
    for (const socket of filling) socket.destroy();
    await worker.terminate();
  });

  test('takes everything and never answers', async () => {
    const address = await daemon((socket) => socket.resume());
    await expect(openScanner(address, short).scan(pieces('x'))).rejects.toThrow(
      new ScannerUnavailable(
        `The virus scanner gave no answer for 0.2 s (CLAMD_URL: 127.0.0.1:${address.port}).`,
      ),
    );
    await expect(openScanner(address, short).check()).rejects.toThrow(ScannerUnavailable);
  });

  test('stops reading, and then the content is not read any further', async () => {
    const address = await daemon((socket) => socket.pause());
    let given = 0;
    async function* endless() {
      for (;;) {
        yield Buffer.alloc(65_536);
        given += 65_536;
      }
    }
    await expect(openScanner(address, short).scan(endless())).rejects.toThrow(
      new ScannerUnavailable(
        `The virus scanner took no more content for 0.2 s (CLAMD_URL: 127.0.0.1:${address.port}).`,
      ),
    );
    // What the kernel holds for both ends.
    expect(given).toBeLessThan(32 * MIB);
  });

  test('closes at once', async () => {
    const address = await daemon((socket) => socket.end());
    await expect(openScanner(address).scan(stalled())).rejects.toThrow(
      new ScannerUnavailable(
        `The connection to the virus scanner was closed before the answer (CLAMD_URL: 127.0.0.1:${address.port}).`,
      ),
    );
    await expect(openScanner(address).check()).rejects.toThrow(ScannerUnavailable);
  });

  test.each(['destroy', 'resetAndDestroy'] as const)(
    'closes the connection in the middle: %s',
    async (way) => {
      const address = await daemon((socket) => socket.once('data', () => socket[way]()));
      await expect(openScanner(address).scan(zeros(50 * MIB))).rejects.toThrow(ScannerUnavailable);
    },
  );

  test('closes the connection in the middle of its answer', async () => {
    const address = await answering('stream: OK');
    await expect(openScanner(address).scan(pieces('x'))).rejects.toThrow(ScannerUnavailable);
  });

  test.each([
    '',
    'OK',
    'stream: ok',
    'stream: OK ',
    'stream: OK\nstream: OK',
    ' stream: OK',
    'HTTP/1.1 400 Bad Request',
    'stream: FOUND',
    'stream: Cannot allocate memory ERROR',
    'COMMAND READ TIMED OUT',
    'UNKNOWN COMMAND',
    '\xff\xfe\x01',
  ])('answers %j', async (answer) => {
    const address = await answering(Buffer.from(`${answer}\0`, 'latin1'));
    await expect(openScanner(address).scan(pieces('x'))).rejects.toThrow(ScannerUnavailable);
  });

  test('answers in pieces', async () => {
    const address = await daemon((socket) =>
      socket.once('data', async () => {
        for (const character of 'stream: A Virus FOUND\0') {
          socket.write(character);
          await sleep(2);
        }
      }),
    );
    expect(await openScanner(address).scan(pieces('x'))).toEqual({
      clean: false,
      signature: 'A Virus',
    });
  });

  test.each([
    ['Eicar.\x07\x1b[31mTest\r\n\u202e\ufffe', 'Eicar.[31mTest'],
    ['Größe FOUND (日本) 😀', 'Größe FOUND (日本) 😀'],
    ['😀'.repeat(500), '😀'.repeat(200)],
    ['\x01', 'unnamed'],
  ])('names a signature in printable characters: %#', async (name, signature) => {
    expect(await openScanner(await answering(`stream: ${name} FOUND\0`)).scan(pieces('x'))).toEqual(
      { clean: false, signature },
    );
  });

  test.each([
    ['letters', 'A'],
    ['lines', 'stream: OK\n'],
  ])('answers a megabyte of %s', async (_, part) => {
    const address = await answering(part.repeat(MIB / part.length));
    await expect(openScanner(address).scan(pieces('x'))).rejects.toThrow(
      new ScannerUnavailable(
        `The connection to the virus scanner brought an answer without end (CLAMD_URL: 127.0.0.1:${address.port}).`,
      ),
    );
  });

  test('answers a megabyte of zero bytes', async () => {
    await expect(openScanner(await answering('\0'.repeat(MIB))).scan(pieces('x'))).rejects.toThrow(
      ScannerUnavailable,
    );
  });

  test.each<[string, (socket: Socket) => void]>([
    ['everything', (socket) => socket.once('data', () => socket.end('stream: OK\0'))],
    ['anything', (socket) => socket.end('stream: OK\0')],
  ])('says OK before it has read %s', async (_, serve) => {
    await expect(openScanner(await daemon(serve)).scan(stalled())).rejects.toThrow(
      ScannerUnavailable,
    );
  });

  test('answers a check with unexpected text', async () => {
    const address = await daemon((socket) => socket.end('PANG\0'));
    await expect(openScanner(address).check()).rejects.toThrow(
      new ScannerUnavailable('The virus scanner gave no verdict but said "PANG".'),
    );
  });
});

describe('the request', () => {
  /** The bytes that a daemon received until the connection closed, and whether the content was closed. */
  async function sent(
    scan: (scanner: Scanner, started: Promise<unknown>) => Promise<unknown>,
  ): Promise<Buffer> {
    const parts: Buffer[] = [];
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const over = once(server, 'connection').then(([socket]: Socket[]) => {
      socket!.on('data', (bytes: Buffer) => parts.push(bytes)).on('error', () => undefined);
      return once(socket!, 'close');
    });
    const started = once(server, 'connection').then(([socket]: Socket[]) => once(socket!, 'data'));
    await scan(
      openScanner(
        { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
        { verdict: 100 },
      ),
      started,
    );
    await over;
    await once(server.close(), 'close');
    return Buffer.concat(parts);
  }

  const zero = Buffer.alloc(4);

  test('has the command, frames of 256 KiB at most, and a final zero', async () => {
    const got = await sent((scanner) =>
      expect(scanner.scan(pieces('abc', '', Buffer.alloc(300_000, 1)))).rejects.toThrow(
        ScannerUnavailable,
      ),
    );
    const size = (n: number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(n);
      return bytes;
    };
    const first = 256 * 1024;
    expect(
      got.equals(
        Buffer.concat([
          Buffer.from('zINSTREAM\0'),
          size(first),
          Buffer.from('abc'),
          Buffer.alloc(first - 3, 1),
          size(300_003 - first),
          Buffer.alloc(300_003 - first, 1),
          zero,
        ]),
      ),
    ).toBe(true);
  });

  test('has no end mark if the content fails', async () => {
    const error = new Error('the disk broke');
    const got = await sent((scanner) =>
      expect(scanner.scan(broken(error, 'x'.repeat(400_000)))).rejects.toBe(error),
    );
    expect(got.byteLength).toBeGreaterThan(0);
    expect(got.includes(zero)).toBe(false);
  });

  test.each(['a stream', 'an iterable'])(
    'has no end mark if the signal aborts, and %s is closed',
    async (kind) => {
      const controller = new AbortController();
      let closed = false;
      async function* ticking() {
        try {
          for (;;) {
            yield Buffer.alloc(300_000, 1);
            await sleep(5);
          }
        } finally {
          closed = true;
        }
      }
      const got = await sent(async (scanner, started) => {
        const scan = scanner.scan(
          kind === 'a stream' ? Readable.from(ticking()) : ticking(),
          controller.signal,
        );
        const reason = new Error('shutting down');
        void started.then(() => controller.abort(reason));
        await expect(scan).rejects.toBe(reason);
      });
      expect(got.includes(zero)).toBe(false);
      await sleep(50);
      expect(closed).toBe(true);
    },
  );
});

describe('content', () => {
  const unreachable = async () => openScanner({ host: '127.0.0.1', port: await freePort() });

  test('is closed if the scan was aborted before its start', async () => {
    const stream = new Readable({ read: () => undefined });
    await expect(
      (await unreachable()).scan(stream, AbortSignal.abort(new Error('too late'))),
    ).rejects.toThrow('too late');
    expect(stream.destroyed).toBe(true);
  });

  test('is closed if the daemon is down, even if the content hangs', async () => {
    const stream = new Readable({ read: () => undefined });
    await expect((await unreachable()).scan(stream)).rejects.toThrow(ScannerUnavailable);
    expect(stream.destroyed).toBe(true);
  });

  test('that fails during the connection to the daemon does not crash the process', async () => {
    const stream = new Readable({ read: () => undefined });
    const scan = (await unreachable()).scan(stream);
    stream.destroy(new Error('the disk broke'));
    await expect(scan).rejects.toThrow();
  });

  test('that stalls ends the scan with an error', async () => {
    const server = createServer((socket) => socket.resume().on('error', () => undefined));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(
      openScanner({ host: '127.0.0.1', port }, { progress: 100 }).scan(stalled()),
    ).rejects.toThrow(
      new ScannerUnavailable(
        `The content to be scanned gave nothing for 0.1 s (CLAMD_URL: 127.0.0.1:${port}).`,
      ),
    );
    await once(server.close(), 'close');
  });
});

describeClamd('a real clamd that scans only 1 MiB and reports it', () => {
  let clamd: Clamd;
  beforeAll(async () => {
    clamd = await startClamd({ maxFileSize: MIB });
  });
  afterAll(() => clamd?.stop());

  test('does not call content clean that it did not scan', async () => {
    await expect(openScanner(clamd.tcp).scan(zeros(2 * MIB))).rejects.toThrow(FileNotScannable);
    expect(await openScanner(clamd.tcp).scan(zeros(MIB / 2))).toEqual(CLEAN);
  });
});
