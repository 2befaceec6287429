/** The commands of the documentation work: they run in a copy of the checkout with the demo data. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfig } from '../../src/config.js';
import { StorageToken } from '../../src/models/storage-token.js';
import { openServices } from '../../src/services.js';
import { endCommands, until, type Command } from '../support/cli.js';
import { factories } from '../support/factories.js';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { copyOfCheckout, root, succeeded } from './checkout.js';
import { blocksOf, commandBlocks, pages, textOf, type Block } from './pages.js';
import { answers, endGroup, Player, startDemo } from './play.js';

/** Blocks that this test does not run, by the start of their text, with the reason. */
const NOT_RUN: { [start: string]: string } = {
  'npm ci && npm test': 'this is it',
  'curl -u "apikey:$KEY" http://127.0.0.1:8080/api/v3/work_packages/1/attachments/prepare':
    'needs an S3 store; test/api/attachments/direct-upload.test.ts takes the steps',
  'CONTRACT_SELF_HOSTED_URL=': 'needs accounts at real servers',
  'npx moorage copy-to': 'needs PostgreSQL; test/cli/copy-to.test.ts copies',
  'docker ': 'needs Docker; npm run test:image builds and starts the image without it',
  'cd deploy': 'run by test/deploy/compose.test.ts',
  useradd: 'needs the system of a server; test/deploy/systemd.test.ts checks the unit',
  systemctl: 'needs systemd; test/deploy/systemd.test.ts checks the unit',
  '# back up': 'run by backup.test.ts',
  '# restore': 'run by backup.test.ts',
  'aws ': 'needs a bucket at Amazon; backup.test.ts copies with the same calls',
};
const reasonOf = ({ text }: Block) => Object.keys(NOT_RUN).find((start) => text.startsWith(start));

const README = 'README.md';
const STORAGE = 'docs/how-to/connect-a-storage.md';
const IMPORT = 'docs/how-to/import-the-directory.md';
const RESUMABLE = 'docs/how-to/resumable-uploads.md';
const COMMANDS = 'docs/reference/commands.md';
const METRICS = 'docs/reference/metrics-and-log-lines.md';

let folder: string;
let server: Command | undefined;
let address: string;
let files: FileServer;
let player: Player;

beforeAll(async () => {
  folder = await copyOfCheckout();
  files = await startFileServer();
  files.user('mia');
  files.setClient({ id: '…', secret: '…', redirectUri: 'http://127.0.0.1/' });
  files.folder('mia', '/Plans');
  for (const { text } of blocksOf(IMPORT).filter(({ language }) => language === 'json'))
    writeFileSync(join(folder, 'directory.json'), text);
  ({ server, address } = await startDemo(folder));
  player = new Player(folder, {
    'http://127.0.0.1:8080': address,
    'https://files.example.org': files.url,
  });
}, 300_000);
afterAll(async () => {
  endGroup(server);
  await endCommands();
  await files.close();
  rmSync(folder, { recursive: true, force: true });
});

const blocks = commandBlocks();
/** The only block of a page with this text. */
const blockWith = (page: string, text: string): Block => {
  const found = blocks.filter(
    (block) => block.page === page && block.text.includes(text) && reasonOf(block) === undefined,
  );
  expect(found).toHaveLength(1);
  return found[0]!;
};
const output = (page: string, text: string) => player.run(blockWith(page, text));

test('the first command of the README starts the demo', () => {
  const start = blockWith(README, 'npm start');
  expect(start.text).toBe('npm ci && npm start\n');
  player.played.push(start);
  expect(server!.stdout.match(/^ {4}(ada|mia|rob) +mrg-[0-9a-f]{40}$/gm)).toHaveLength(3);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('a file is uploaded, listed and downloaded over REST', async () => {
  const readme = readFileSync(join(folder, README), 'utf8');
  const stdout = await output(README, 'About this project');
  expect(stdout).toContain(`\n${readme}\n`);
  const [created, list] = answers(stdout) as [object, object];
  expect(created).toMatchObject({
    _type: 'Attachment',
    id: 34,
    fileName: 'readme.md',
    fileSize: Buffer.byteLength(readme),
    description: { raw: 'About this project' },
  });
  expect(list).toMatchObject({
    _type: 'Collection',
    total: 3,
    _embedded: { elements: expect.arrayContaining([expect.objectContaining({ id: 34 })]) },
  });
});

test('a file is uploaded and claimed over GraphQL', async () => {
  const [query, mutation] = answers(await output(README, 'totalCount')) as [object, object];
  expect(query).toEqual({
    data: {
      workPackage: {
        id: 'V29ya1BhY2thZ2U6MQ',
        subject: 'Order bricks',
        attachments: {
          totalCount: 3,
          nodes: ['Angebot Ziegel – Müller & Söhne.pdf', 'Materials.csv', 'readme.md'].map(
            (fileName) => ({
              fileName,
              fileSize: expect.any(Number),
              author: { name: 'Mia Member' },
              viewerCanDelete: true,
            }),
          ),
        },
      },
    },
  });
  expect(mutation).toEqual({
    data: {
      createAttachment: {
        attachment: {
          id: expect.any(String),
          databaseId: 35,
          digest: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        },
      },
    },
  });
  expect(answers(await output(README, 'Claim the plan'))).toEqual([
    expect.objectContaining({ _type: 'Attachment', id: 36, fileName: 'plan.txt' }),
    expect.objectContaining({ _type: 'WorkPackage', id: 16, subject: 'Claim the plan' }),
  ]);
});

test('a subscription sends events', async () => {
  const stream = player.start(
    blockWith('docs/how-to/subscriptions.md', 'attachmentChanged(containerId'),
  );
  let uploads = 0;
  await until(async () => {
    // It sends events only after it is open.
    succeeded(
      await player.command(
        `curl -u "apikey:$KEY" ${address}/api/v3/work_packages/1/attachments -F 'metadata={"fileName":"sent.txt"};type=application/json' -F 'file=@LICENSE'`,
      ).outcome,
    );
    uploads += 1;
    return stream.stdout.includes('sent.txt');
  }, 'the stream sends the event of a file');
  expect(uploads).toBeGreaterThan(0);
  expect(JSON.parse(/^data: (.*sent\.txt.*)$/m.exec(stream.stdout)![1]!)).toEqual({
    data: {
      attachmentChanged: {
        event: 'CREATED',
        attachment: { fileName: 'sent.txt', status: 'UPLOADED' },
      },
    },
  });
  process.kill(-stream.child.pid!, 'SIGTERM');
  await stream.outcome;
});

test('a webhook is created', async () => {
  expect(answers(await output('docs/how-to/webhooks.md', 'createWebhook'))).toEqual([
    {
      data: {
        createWebhook: {
          secret: expect.stringMatching(/^whsec_/),
          webhook: { id: expect.any(String) },
        },
      },
    },
  ]);
});

test('project folders are synchronised', async () => {
  const said = await output('docs/how-to/project-folders.md', 'folders sync');
  const nothing = 'No storage has project folders to manage.\n';
  expect(said).toBe(nothing + nothing);
});

test('a storage is created, used and browsed', async () => {
  expect(answers(await output(STORAGE, '"name":"Site files"'))).toEqual([
    expect.objectContaining({ _type: 'Storage', id: 3, name: 'Site files' }),
  ]);
  expect(answers(await output(STORAGE, 'oauth_client_credentials'))).toEqual([
    expect.objectContaining({ _type: 'Storage', id: 3, configured: true }),
  ]);
  expect(answers(await output(STORAGE, 'createProjectStorage'))).toEqual([
    { data: { createProjectStorage: { projectStorage: { id: expect.any(String) } } } },
  ]);
  expect(answers(await output(STORAGE, 'health'))).toEqual([
    {
      data: {
        storage: {
          health: { checks: expect.arrayContaining([expect.objectContaining({ status: 'OK' })]) },
        },
      },
    },
  ]);
  await connectMia();
  expect(answers(await output(STORAGE, 'files?parent=/Plans'))).toEqual([
    expect.objectContaining({
      _type: 'StorageFiles',
      files: [],
      parent: expect.objectContaining({ name: 'Plans' }),
    }),
    expect.objectContaining({ _type: 'Collection', total: 1 }),
    expect.objectContaining({
      _type: 'Collection',
      // Four links are those of the demo.
      total: 5,
      _embedded: {
        elements: expect.arrayContaining([
          expect.objectContaining({
            originData: expect.objectContaining({ id: '4711', name: 'plan.pdf' }),
          }),
        ]),
      },
    }),
  ]);
});

/** The steps of Mia's browser at the file server. */
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
      db.read('oauth_client_credentials').where({ storage_id: 3 }).first('id'),
    ])) as [{ id: number }, { id: number }];
    await factories(services).storageTokens(
      mia,
      { id: 3, credentialsId: credentials.id } as never,
      files.grant('mia'),
    );
    expect(await StorageToken.query(db.read).where('storage_id', 3).resultSize()).toBe(1);
  } finally {
    await services.close();
  }
}

test('the directory of the page is imported', async () => {
  expect(await output(IMPORT, 'npx moorage import')).toMatch(/^mrg-[0-9a-f]{40}$/m);
  const { stdout } = await player.command(
    `curl -u apikey:at-least-20-characters ${address}/api/v3/work_packages/17`,
  ).outcome;
  expect(JSON.parse(stdout)).toMatchObject({ subject: 'Paint the bollards' });
}, 60_000);

test('the commands for operators work', async () => {
  const stdout = await output(COMMANDS, 'npx moorage doctor');
  expect(stdout).toContain('all is well');
  expect(stdout).toContain(readFileSync(join(folder, 'schema.graphql'), 'utf8'));
}, 180_000);

test('the page of metrics has all metrics of the service, and only log lines that it writes', async () => {
  const page = textOf(METRICS);
  const metrics = succeeded(
    await player.command(`curl -u "apikey:$ADMIN" ${address}/metrics`).outcome,
  );
  const described = [...page.matchAll(/^\| `(moorage_\w+)`/gm)].map(([, name]) => name);
  expect(described.sort()).toEqual(
    [...metrics.matchAll(/^# HELP (moorage_\w+)/gm)].map(([, name]) => name).sort(),
  );

  const program = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, 'src', name), 'utf8'))
    .join('')
    // Long texts have several parts in the source.
    .replace(/' \+\s+'/g, '');
  const [, table = ''] = /## Log lines that need attention\n(.*?)\n## /s.exec(page)!;
  const lines = [...table.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell]) =>
    cell!.split(', `').map((line) => line.replaceAll('`', '')),
  );
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => !program.includes(`'${line}'`))).toEqual([]);
});

test('the page of commands names every command', async () => {
  const help = succeeded(await player.command('npx moorage --help').outcome);
  const [, list = ''] = /\nCommands:\n(.*?)\n\n/s.exec(help)!;
  const described = [...textOf(COMMANDS).matchAll(/^\| `moorage ([\w-]+)/gm)].map(
    ([, name]) => name,
  );
  expect([...new Set(described)].sort()).toEqual(
    [...list.matchAll(/^ {2}([\w-]+)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help')
      .sort(),
  );
});

test('a file is sent in two requests', async () => {
  const asked = await output(RESUMABLE, 'head -c 3000000');
  expect(asked).toContain('upload-offset: 1000000');
  expect(asked).toMatch(/HTTP\/1.1 204 No Content[^]*upload-offset: 3000000/);
});

test('every command of the pages runs here, or there is a reason why not', () => {
  expect(
    blocks.filter((block) => !player.played.includes(block) && reasonOf(block) === undefined),
  ).toEqual([]);
  for (const start of Object.keys(NOT_RUN))
    expect([start, blocks.some(({ text }) => text.startsWith(start))]).toEqual([start, true]);
});

test('every link of a page leads to an existing file and heading', () => {
  const anchorsOf = (page: string): string[] =>
    [
      ...textOf(page)
        .replace(/^```.*?^```$/gms, '')
        .matchAll(/^#+ (.+)$/gm),
    ].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
  const dead = pages.flatMap((page) => {
    const text = textOf(page).replace(/^```.*?^```$/gms, '');
    const links = [
      ...text.matchAll(/\]\(([^)\s]+)\)/g),
      // Link definitions, below the text.
      ...text.matchAll(/^\[.+\]: (\S+)$/gm),
    ];
    return links
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, file))) return true;
        return anchor !== undefined && !anchorsOf(file).includes(anchor);
      })
      .map((target) => `${page} links to ${target}`);
  });
  expect(dead).toEqual([]);
});

test('every file named by a page or a source exists', () => {
  const exists = (path: string) => ['', 'src'].some((place) => existsSync(join(root, place, path)));
  const inPages = pages
    // The changelog also covers older versions.
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) =>
      [...textOf(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|js|md|graphql|json))`/g)].map(
        ([, path]) => [page, path!] as const,
      ),
    );
  const sources = ['src', 'scripts', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(c?ts|mjs|js|graphql)$/.test(name) && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`),
  );
  const inSources = [...sources, 'Dockerfile', 'package.json', '.prettierignore'].flatMap((file) =>
    [...textOf(file).matchAll(/\b(docs\/[\w./-]+\.(?:md|svg)|[A-Z]{6,}\.md)\b/g)].map(
      ([, path]) => [file, path!] as const,
    ),
  );
  expect(inSources.length).toBeGreaterThan(20);
  expect([...inPages, ...inSources].filter(([, path]) => !exists(path))).toEqual([]);
});

test('Ctrl-C stops the demo', async () => {
  process.kill(-server!.child.pid!, 'SIGINT');
  await server!.outcome;
  await expect(fetch(`${address}/health/live`)).rejects.toThrow();
});
