/** Every command of the pages is run as it stands there, in a copy of the checkout with the demo directory. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config.js';
import { StorageToken } from '../../src/models/storage-token.js';
import { openServices } from '../../src/services.js';
import { endCommands, until, type Command } from '../support/cli.js';
import { factories } from '../support/factories.js';
import { startFileServer, type FileServer } from '../support/fakes/file-server.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { bash, bashCommand, copyOfCheckout, succeeded } from './checkout.js';
import { blocksOf, commandBlocks, type Block } from './pages.js';

/** Blocks that are not run here, by the start of their text, and why. */
const NOT_RUN: { [start: string]: string } = {
  'npm ci && npm test': 'this is it',
  'curl -u "apikey:$KEY" http://127.0.0.1:8080/api/v3/work_packages/1/attachments/prepare':
    'needs an S3 store; test/rest/direct-upload*.test.ts take the steps',
  'CONTRACT_SELF_HOSTED_URL=': 'needs accounts at real servers',
  'docker ': 'needs Docker; dockerfile.test.ts takes the steps of the image',
  '# back up': 'run by backup.test.ts',
  '# restore': 'run by backup.test.ts',
  'aws ': 'needs a bucket at Amazon; backup.test.ts copies with the same calls',
};
const reasonOf = ({ text }: Block) => Object.keys(NOT_RUN).find((start) => text.startsWith(start));

let folder: string;
let server: Command | undefined;
let address: string;
let files: FileServer;
let curlHome: string;

beforeAll(async () => {
  folder = await copyOfCheckout();
  files = await startFileServer();
  files.user('mia');
  files.setClient({ id: '…', secret: '…', redirectUri: 'http://127.0.0.1/' });
  files.folder('mia', '/Plans');
  // Whoever tries a command looks at the answer; here a refusal is a failure, and each answer has a line.
  curlHome = join(folder, 'curl');
  mkdirSync(curlHome);
  writeFileSync(
    join(curlHome, '.curlrc'),
    'silent\nshow-error\nfail-with-body\nwrite-out = "\\n"\n',
  );
  for (const { text } of blocksOf('README.md').filter(({ language }) => language === 'json'))
    writeFileSync(join(folder, 'directory.json'), text);
  // Dependencies and program are there.
  const starting = (server = bashCommand('exec npm start --ignore-scripts', folder, { PORT: '0' }));
  await until(
    () => starting.ended || starting.stdout.includes('Ctrl-C stops.'),
    'the server listens',
    60_000,
  );
  [, address = ''] = /^Moorage listens on (\S+)$/m.exec(starting.stdout) ?? [];
}, 300_000);
afterAll(async () => {
  // npm's children are of its group.
  if (server && !server.ended) process.kill(-server.child.pid!, 'SIGKILL');
  await endCommands();
  await files.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What stands in for what the pages name. */
const adapted = (text: string) =>
  text
    .replaceAll('http://127.0.0.1:8080', address)
    .replaceAll('https://files.example.org', files.url);

/** Variables outlive their block, as they do in a terminal. */
const play = ({ text }: Block) =>
  bashCommand(
    `touch variables; source ./variables; trap 'declare -p KEY ADMIN > variables' EXIT\n${adapted(text)}`,
    folder,
    { CURL_HOME: curlHome },
  );

/** The answers of a block, one a line; JSON is parsed. */
const answers = (stdout: string): unknown[] =>
  stdout
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line.startsWith('{"') ? (JSON.parse(line) as unknown) : line));

const blocks = commandBlocks();
const blockWith = (text: string): Block => {
  const found = blocks.filter(
    (block) => block.text.includes(text) && reasonOf(block) === undefined,
  );
  expect(found).toHaveLength(1);
  played.push(found[0]!);
  return found[0]!;
};
const played: Block[] = [];
const output = async (text: string) => succeeded(await play(blockWith(text)).outcome);

test('the first command of the README starts the demo', () => {
  expect(blockWith('npm start').text).toBe('npm ci && npm start\n');
  expect(server!.stdout.match(/^ {4}(ada|mia|rob) +mrg-[0-9a-f]{40}$/gm)).toHaveLength(3);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('a file goes up, is listed, comes down and is deleted over REST', async () => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const stdout = await output("require('./data/moorage.demo-keys.json').mia");
  expect(stdout).toContain(`\n${readme}\n`);
  const [created, list] = answers(stdout) as [object, object];
  expect(created).toMatchObject({
    _type: 'Attachment',
    id: 1,
    fileName: 'readme.md',
    fileSize: Buffer.byteLength(readme),
    description: { raw: 'About this project' },
  });
  expect(list).toMatchObject({
    _type: 'Collection',
    total: 1,
    _embedded: { elements: [{ id: 1 }] },
  });
  expect(
    (
      await bash(
        `source ./variables; curl -u "apikey:$KEY" ${address}/api/v3/attachments/1`,
        folder,
      )
    ).stdout,
  ).toContain('errors:NotFound');
});

test('the same over GraphQL, and a file that is claimed', async () => {
  const [query, mutation] = answers(await output('totalCount')) as [object, object];
  expect(query).toEqual({
    data: {
      workPackage: {
        id: 'V29ya1BhY2thZ2U6MQ',
        subject: 'Order bricks',
        attachments: { totalCount: 0, nodes: [] },
      },
    },
  });
  expect(mutation).toEqual({
    data: {
      createAttachment: {
        attachment: {
          id: expect.any(String),
          databaseId: 2,
          digest: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        },
      },
    },
  });
  expect(answers(await output('Claim the plan'))).toEqual([
    expect.objectContaining({ _type: 'Attachment', id: 3, fileName: 'plan.txt' }),
    expect.objectContaining({ _type: 'WorkPackage', id: 2, subject: 'Claim the plan' }),
  ]);
});

test('a subscription tells what happens', async () => {
  const stream = play(blockWith('attachmentChanged'));
  let uploads = 0;
  await until(async () => {
    // It tells of what happens once it is open.
    succeeded(
      await bash(
        `source ./variables; curl -u "apikey:$KEY" ${address}/api/v3/work_packages/1/attachments -F 'metadata={"fileName":"told.txt"};type=application/json' -F 'file=@LICENSE'`,
        folder,
        { CURL_HOME: curlHome },
      ),
    );
    uploads += 1;
    return stream.stdout.includes('told.txt');
  }, 'the stream tells of a file');
  expect(uploads).toBeGreaterThan(0);
  expect(JSON.parse(/^data: (.*told\.txt.*)$/m.exec(stream.stdout)![1]!)).toEqual({
    data: {
      attachmentChanged: {
        event: 'created',
        attachment: { fileName: 'told.txt', status: 'uploaded' },
      },
    },
  });
  process.kill(-stream.child.pid!, 'SIGTERM');
  await stream.outcome;
});

test('a webhook and a storage are made, used and browsed', async () => {
  expect(answers(await output('createWebhook'))).toEqual([
    {
      data: {
        createWebhook: {
          secret: expect.stringMatching(/^whsec_/),
          webhook: { id: expect.any(String) },
        },
      },
    },
  ]);
  expect(answers(await output('oauth_client_credentials'))).toEqual([
    expect.objectContaining({ _type: 'Storage', id: 1, name: 'Site files' }),
    expect.objectContaining({ _type: 'Storage', id: 1, configured: true }),
    { data: { createProjectStorage: { projectStorage: { id: expect.any(String) } } } },
  ]);
  await connectMia();
  expect(answers(await output('files?parent=/Plans'))).toEqual([
    expect.objectContaining({
      _type: 'StorageFiles',
      files: [],
      parent: expect.objectContaining({ name: 'Plans' }),
    }),
    expect.objectContaining({ _type: 'Collection', total: 1 }),
    expect.objectContaining({
      _type: 'Collection',
      total: 1,
      _embedded: {
        elements: [
          expect.objectContaining({
            originData: expect.objectContaining({ id: '4711', name: 'plan.pdf' }),
          }),
        ],
      },
    }),
  ]);
});

/** What Mia's browser would do at the file server. */
async function connectMia(): Promise<void> {
  const services = openServices(
    readConfig({
      DATABASE_URL: `sqlite:${join(folder, 'data/moorage.sqlite3')}`,
      BLOB_STORE: `disk:${join(folder, 'data/blobs')}`,
      SECRET_KEY_FILE: join(folder, 'data/secret-key'),
      LOG_LEVEL: 'silent',
    }),
  );
  try {
    const { db } = services;
    const [mia, credentials] = (await Promise.all([
      db.read('users').where({ login: 'mia' }).first('id'),
      db.read('oauth_client_credentials').first('id'),
    ])) as [{ id: number }, { id: number }];
    await factories(services).storageTokens(
      mia,
      { id: 1, credentialsId: credentials.id } as never,
      files.grant('mia'),
    );
    expect(await StorageToken.query(db.read).resultSize()).toBe(1);
  } finally {
    await services.close();
  }
}

test('the commands for operators, with the directory of the page', async () => {
  const stdout = await output('npx moorage import');
  expect(stdout).toContain('all is well');
  expect(stdout).toMatch(/^mrg-[0-9a-f]{40}$/m);
  expect(stdout).toContain(readFileSync(join(folder, 'schema.graphql'), 'utf8'));
  expect(
    await bash(`curl -u apikey:at-least-20-characters ${address}/api/v3/work_packages/3`, folder, {
      CURL_HOME: curlHome,
    }).then(({ stdout: body }) => JSON.parse(body) as object),
  ).toMatchObject({ subject: 'Paint the bollards' });
}, 180_000);

test('the page for operators has all numbers of the service, and names no line that it does not write', async () => {
  const page = readFileSync(join(folder, 'docs/operations.md'), 'utf8');
  const metrics = succeeded(
    await bash(`source ./variables; curl -u "apikey:$ADMIN" ${address}/metrics`, folder, {
      CURL_HOME: curlHome,
    }),
  );
  const described = [...page.matchAll(/^\| `(moorage_\w+)`/gm)].map(([, name]) => name);
  expect(described.sort()).toEqual(
    [...metrics.matchAll(/^# HELP (moorage_\w+)/gm)].map(([, name]) => name).sort(),
  );

  const program = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, 'src', name), 'utf8'))
    .join('')
    // Long texts are written in parts.
    .replace(/' \+\s+'/g, '');
  const [, table = ''] = /### Lines that want somebody\n(.*?)\n### /s.exec(page)!;
  const lines = [...table.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell]) =>
    cell!.split(', `').map((line) => line.replaceAll('`', '')),
  );
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => !program.includes(`'${line}'`))).toEqual([]);
});

test('no command of any page is left out without a reason', () => {
  expect(
    blocks.filter((block) => !played.includes(block) && reasonOf(block) === undefined),
  ).toEqual([]);
  for (const start of Object.keys(NOT_RUN))
    expect([start, blocks.some(({ text }) => text.startsWith(start))]).toEqual([start, true]);
});

test('Ctrl-C stops the demo', async () => {
  process.kill(-server!.child.pid!, 'SIGINT');
  await server!.outcome;
  await expect(fetch(`${address}/health/live`)).rejects.toThrow();
});
