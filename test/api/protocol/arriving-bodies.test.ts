/** Bodies while they arrive: how much of them is held, how slowly a file may come, and what comes after a refusal. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import { startServer } from '../../../src/server.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { errorBody } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';
import {
  ask,
  BOUNDARY,
  exchange,
  head,
  metadata,
  MULTIPART,
  part,
  request,
  stored,
  type RawAnswer,
} from '../../support/raw.js';

let app: App;
/** An upload ends when its client sends less than 64 KiB in a second. */
let strict: App;
let person: Person;
let workPackage: ContainerHandle;
const sockets: Socket[] = [];
beforeAll(async () => {
  app = await startApp({ TRUST_PROXY: '1' });
  strict = await startBeside(app, { UPLOAD_STALL_SECONDS: '1' });
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, person);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await strict?.stop();
  await app?.stop();
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MIB = 1024 * 1024;
const FULL = 'Too much is being sent to the service at the same time. Try again shortly.';

/** Sends bytes and keeps the connection. `text` is what has come back. */
function begin(bytes: string | Buffer): { text: string } {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const read = { text: '' };
  socket
    .on('error', () => undefined)
    .on('data', (piece: Buffer) => {
      read.text += piece.toString();
    });
  sockets.push(socket);
  socket.write(bytes);
  return read;
}

/** A request with a body of 1 MiB, of which the last bytes are missing. */
const unfinished = (method: string, path: string, address: string, as?: Person) => {
  const whole = request(method, path, `{"query":"${'x'.repeat(MIB - 100)}"}`, {
    ...(as && { as }),
    headers: { ...JSON_TYPE, 'X-Forwarded-For': address },
  });
  return whole.subarray(0, -5);
};

const statusOf = ({ text }: { text: string }) => text.split(' ')[1];

describe('memory of bodies', () => {
  test.each([
    ['REST', () => ['PATCH', workPackage.path] as const, errorBody('ServiceUnavailable', FULL)],
    [
      'GraphQL',
      () => ['POST', '/graphql'] as const,
      {
        errors: [
          {
            message: FULL,
            extensions: {
              code: 'SERVICE_UNAVAILABLE',
              errorIdentifier: 'urn:service-org:api:v3:errors:ServiceUnavailable',
              status: 503,
            },
          },
        ],
      },
    ],
  ])(
    'clients of one network hold 32 MiB together, others are not refused: %s',
    async (_name, target, body) => {
      const [method, path] = target();
      const held = Array.from({ length: 36 }, () => begin(unfinished(method, path, '192.0.2.1')));
      const refusedOnes = () => held.filter(({ text }) => text !== '');
      await until(() => Promise.resolve(refusedOnes().length >= 4), 'the refusals');
      await sleep(300);
      const refused = refusedOnes();
      expect(refused.length).toBeLessThan(8);
      for (const one of refused) {
        const [headers, content] = one.text.split('\r\n\r\n') as [string, string];
        expect(headers).toMatch(
          /^HTTP\/1.1 503 [^]*\r\nRetry-After: 5\r\n[^]*\r\nConnection: close/,
        );
        expect(JSON.parse(content)).toEqual(body);
      }
      // Small bodies of the same network, and large ones of others.
      const send = async (size: number, address: string) => {
        const json = { query: '{ viewer { name } }', padding: 'x'.repeat(size) };
        const headers = { 'x-forwarded-for': address };
        return (await app.request('POST', '/graphql', { as: person, json, headers })).status;
      };
      expect(await send(1_000, '192.0.2.77')).toBe(200);
      expect(await send(MIB - 100, '192.0.3.1')).toBe(200);
      expect(await send(MIB - 100, '192.0.2.77')).toBe(503);
      // The memory is free when the clients have left.
      for (const socket of sockets.splice(0)) socket.destroy();
      await until(async () => (await send(MIB - 100, '192.0.2.77')) === 200, 'room for a body');
    },
  );

  test('all networks hold 128 MiB together', async () => {
    const held = Array.from({ length: 140 }, (_, n) =>
      begin(unfinished('POST', '/graphql', `10.0.${n}.1`)),
    );
    const refused = () => held.filter((one) => statusOf(one) === '503').length;
    await until(() => Promise.resolve(refused() >= 12), 'the refusals');
    await sleep(300);
    expect(refused()).toBeLessThan(20);
  });

  test('small chunks count as what they take in memory', async () => {
    const body = JSON.stringify({ lockVersion: 0, subject: 'x'.repeat(200_000) });
    const chunks = body.replaceAll(/[^]/g, '1\r\n$&\r\n');
    const answer = await ask(
      app,
      `${head('PATCH', workPackage.path, {
        as: person,
        headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
      })}${chunks}0\r\n\r\n`,
    );
    expect([answer.status, answer.body]).toEqual([503, errorBody('ServiceUnavailable', FULL)]);
  });

  test('a client that sends the parts of a form holds no more', async () => {
    const operations = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="operations"\r\n\r\n${' '.repeat(MIB - 500)}`,
    );
    const form = request('POST', '/graphql', operations, {
      headers: {
        'Content-Type': MULTIPART,
        'Content-Length': String(2 * MIB),
        'X-Forwarded-For': '192.0.2.1',
        'Apollo-Require-Preflight': '1',
      },
    });
    const held = Array.from({ length: 36 }, () => begin(form));
    await until(() => Promise.resolve(held.some((one) => statusOf(one) === '503')), 'a refusal');
  });
});

/** What comes before the file of an upload over REST, and over GraphQL. */
const forms = {
  REST: {
    path: () => workPackage.attachments,
    headers: {},
    parts: () => [metadata('{"fileName":"slow.bin"}')],
    attachmentOf: (body: any) => body,
  },
  GraphQL: {
    path: () => '/graphql',
    headers: { 'Apollo-Require-Preflight': '1' },
    parts: () => [
      { name: 'operations', content: JSON.stringify(creation()) },
      { name: 'map', content: '{"file":["variables.file"]}' },
    ],
    attachmentOf: (body: any) => body.data.createAttachment.attachment,
  },
};

const creation = () => ({
  query: `mutation ($container: ID!, $file: Upload!) {
    createAttachment(input: { containerId: $container, fileName: "slow.bin", file: $file }) {
      attachment { fileName fileSize }
    }
  }`,
  variables: { container: workPackage.globalId, file: null },
});

/** An upload form that is sent in pieces of the file. */
async function* slowly(pieces: number, size: number, pauseMs: number, form = forms.REST) {
  const begins = Buffer.concat([
    ...form.parts().map(part),
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="slow.bin"\r\n\r\n`,
    ),
  ]);
  const ends = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const length = begins.length + pieces * size + ends.length;
  yield head('POST', form.path(), {
    as: person,
    headers: { ...form.headers, 'Content-Type': MULTIPART, 'Content-Length': String(length) },
  });
  yield begins;
  for (let n = 0; n < pieces; n += 1) {
    yield Buffer.alloc(size, n);
    await sleep(pauseMs);
  }
  yield ends;
}

const LATE = 'The request took too long to arrive.';

describe('the rate of uploads', () => {
  test.each([
    ['nothing more', 1, 100, 3_000],
    ['a byte now and then', 100, 1, 200],
    ['less than 64 KiB in the time', 100, 8_000, 200],
  ])('%s ends the upload with 408, and leaves nothing', async (_name, pieces, size, pauseMs) => {
    const before = await stored(app);
    const answer = await ask(strict, slowly(pieces, size, pauseMs));
    expect([answer.status, answer.headers['connection'], answer.body]).toEqual([
      408,
      'close',
      errorBody('RequestTimeout', LATE),
    ]);
    await until(async () => {
      const now = await stored(app);
      return now.rows === before.rows && now.files === before.files;
    }, 'nothing left');
  });

  test('64 KiB in the time are enough, however long the upload takes', async () => {
    const { status, body } = await ask(strict, slowly(12, 40_000, 250));
    expect([status, body.fileSize]).toEqual([200, 480_000]);
  });

  test('the time in which the service itself does not read does not count', async () => {
    const { db } = strict.running.services;
    let answer: Promise<RawAnswer> | undefined;
    await db.write.transaction(async (trx) => {
      // Others cannot write meanwhile: the upload waits before its first byte is read.
      if (db.write.client.config.client === 'pg')
        await trx.raw('lock table attachments in exclusive mode');
      answer = ask(strict, slowly(40, 100_000, 0));
      await sleep(2_500);
    });
    expect((await answer!).status).toBe(200);
  });

  test.each(['REST', 'GraphQL'] as const)(
    'the time in which the upload waits for its turn does not count: %s',
    async (name) => {
      const form = forms[name];
      const { documents } = strict.running.services;
      const turns = await Promise.all(Array.from({ length: 16 }, () => documents.take(person.id)));
      let ended = 0;
      const upload = async (pieces: number) => {
        const sent = ask(strict, slowly(pieces, 100_000, 0, form));
        const { status, body } = await sent.finally(() => (ended += 1));
        const { fileName, fileSize } = form.attachmentOf(body);
        return [status, fileName, fileSize];
      };
      const uploads = Promise.allSettled([1, 3, 40].map(upload));
      await sleep(2_500);
      const endedEarly = ended;
      for (const end of turns) end();
      expect([endedEarly, await uploads]).toEqual([
        0,
        [100_000, 300_000, 4_000_000].map((size) => ({
          status: 'fulfilled',
          value: [200, 'slow.bin', size],
        })),
      ]);
    },
  );
});

test('a client that reads its refusal only after it has sent everything gets it', async () => {
  const server = await startServer(readConfig(app.environment), pino({ level: 'silent' }), {
    drainMs: 300,
  });
  try {
    const [answer] = await exchange({ url: server.address } as App, slowly(60, 300_000, 50), {
      writeFirst: true,
    });
    expect([answer?.status, answer?.body]).toEqual([
      422,
      errorBody(
        'PropertyConstraintViolation',
        'File is too large (maximum size is 5242880 Bytes).',
        'fileSize',
      ),
    ]);
  } finally {
    await server.stop();
  }
});
