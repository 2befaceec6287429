/** The world of the demo: what a stranger finds after the first start. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freshDatabase } from '../support/database.js';
import {
  emptyFolder,
  endCommands,
  Command,
  run,
  serve,
  until,
  type Banner,
} from '../support/cli.js';
import { afterAll, describe, expect, test } from '../support/jest.js';
import { freePort } from '../support/postgres.js';

afterAll(endCommands);

const freshEnvironment = async () => {
  const { url, folder } = await freshDatabase();
  return { DATABASE_URL: url, BLOB_STORE: `disk:${join(folder, 'blobs')}` };
};

async function ask({ graphql, demoKeys }: Banner, login: string, query: string): Promise<any> {
  const answer = await fetch(graphql, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demoKeys[login]}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query }),
  });
  const { data, errors }: any = await answer.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

const WORLD = `{
  projects(first: 50) { nodes { identifier meetings(first: 50) { totalCount } posts(first: 50) { totalCount } wikiPages(first: 50) { totalCount } } }
  workPackages(first: 50) { nodes {
    subject status { name } type { name } assignee { name }
    activities(first: 50) { nodes { attachments { nodes { fileName } } } }
    attachments { nodes { fileName author { name } } }
    fileLinks { nodes { originData { name } status } }
  } }
}`;

const LINKS = `{ workPackages(first: 50) { nodes { fileLinks { nodes { id originData { name } status } } } } }`;
const linksOf = (data: any) =>
  Object.fromEntries(
    data.workPackages.nodes.flatMap(({ fileLinks }: any) =>
      fileLinks.nodes.map(({ originData, status }: any) => [originData.name, status]),
    ),
  );
const LINKED = {
  'Angebot Ziegel.pdf': 'VIEW_ALLOWED',
  // It was renamed since.
  'Deliveries, week 14.csv': 'VIEW_ALLOWED',
  'Contract with Hansen.pdf': 'VIEW_NOT_ALLOWED',
  'Old offer.pdf': 'NOT_FOUND',
  'Floor plan.png': 'VIEW_ALLOWED',
  'Grundriss, Stand 2.png': 'VIEW_ALLOWED',
  'Safety plan.pdf': 'VIEW_ALLOWED',
  'Budget.xlsx': 'VIEW_ALLOWED',
  'Sponsors.csv': 'VIEW_NOT_ALLOWED',
  'First draft.md': 'NOT_FOUND',
  'Course, last year.png': 'VIEW_ALLOWED',
};

describe('the demo', () => {
  let environment: Awaited<ReturnType<typeof freshEnvironment>>;
  const cwd = emptyFolder();
  let demo: { command: Command; banner: Banner };

  test('has three projects, work packages in all states, and files as people have them', async () => {
    environment = await freshEnvironment();
    demo = await serve(environment, { cwd });
    const { projects, workPackages } = await ask(demo.banner, 'ada', WORLD);
    expect(projects.nodes.map(({ identifier }: any) => identifier).sort()).toEqual([
      'boathouse',
      'regatta',
      'website',
    ]);
    expect(workPackages.nodes).toHaveLength(15);
    const values = (pick: (one: any) => string | undefined) =>
      [...new Set(workPackages.nodes.map(pick))].sort();
    expect(values(({ status }) => status.name)).toEqual(['Done', 'In progress', 'New', 'Rejected']);
    expect(values(({ type }) => type.name)).toEqual(['Bug', 'Milestone', 'Task']);
    expect(values(({ assignee }) => assignee?.name)).toEqual([
      'Ada Admin',
      'Mia Member',
      'Rob Reader',
      undefined,
    ]);
    const files = workPackages.nodes.flatMap(({ attachments, activities }: any) => [
      ...attachments.nodes,
      ...activities.nodes.flatMap((one: any) => one.attachments.nodes),
    ]);
    const names = files.map(({ fileName }: any) => fileName);
    expect(names).toEqual(
      expect.arrayContaining([
        'Angebot Ziegel – Müller & Söhne.pdf',
        'Kostenübersicht.csv',
        'مخطط المرسى.pdf',
        'Protokoll Baubesprechung.docx',
        'North wall, cracks.jpg',
      ]),
    );
    expect(names.length).toBeGreaterThanOrEqual(25);
    const limit = '{ configuration { maximumAttachmentFileSize } }';
    expect(await ask(demo.banner, 'mia', limit)).toEqual({
      configuration: { maximumAttachmentFileSize: 512 * 1024 * 1024 },
    });
  });

  test('has notifications, and files of several people', async () => {
    const count = async (login: string) =>
      (
        await ask(
          demo.banner,
          login,
          '{ viewer { notifications(filter: { unread: true }) { totalCount } } }',
        )
      ).viewer.notifications.totalCount;
    expect(await count('mia')).toBeGreaterThan(3);
    const authors = `{ viewer { recentAttachments(first: 1) { totalCount } } }`;
    for (const login of ['ada', 'mia', 'rob'])
      expect(
        (await ask(demo.banner, login, authors)).viewer.recentAttachments.totalCount,
      ).toBeGreaterThan(3);
  });

  test('has links of every status, and a linked file opens', async () => {
    expect(linksOf(await ask(demo.banner, 'mia', LINKS))).toEqual(LINKED);
    const { address, demoKeys } = demo.banner;
    const links: any = await (
      await fetch(`${address}/api/v3/work_packages/1/file_links`, {
        headers: { authorization: `Bearer ${demoKeys['mia']}` },
      })
    ).json();
    const [first] = links._embedded.elements;
    const download = await fetch(`${address}${first._links.staticOriginDownload.href}`, {
      headers: { authorization: `Bearer ${demoKeys['mia']}` },
    });
    expect([
      download.status,
      Buffer.from(await download.arrayBuffer()).toString('latin1', 0, 5),
    ]).toEqual([200, '%PDF-']);
  });

  test('a second start that finds the port taken leaves the storages alone', async () => {
    const { port } = new URL(demo.banner.address);
    const second = await run(['serve'], { ...environment, PORT: port }, { cwd });
    expect(second.status).toBe(1);
    const { stdout } = await run(['doctor', '--json'], environment, { cwd });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; outcome: string }[] };
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'Club drive: host', outcome: 'ok' }),
    );
    expect(linksOf(await ask(demo.banner, 'mia', LINKS))).toEqual(LINKED);
  });

  test('is the same after kill -9 and another start, and ends with the program', async () => {
    demo.command.signal('SIGKILL');
    await demo.command.outcome;
    const { fileServer, drive } = demo.banner.demoStorages;
    for (const url of [fileServer!, drive!])
      await until(
        () =>
          fetch(url).then(
            () => false,
            () => true,
          ),
        `${url} has ended`,
      );
    demo = await serve(environment, { cwd });
    expect(linksOf(await ask(demo.banner, 'mia', LINKS))).toEqual(LINKED);
    demo.command.signal('SIGTERM');
    expect((await demo.command.outcome).status).toBe(0);
  });
});

test('a start that was killed while it made the demo is continued by the next one', async () => {
  const environment = await freshEnvironment();
  const cwd = emptyFolder();
  const kept = join(environment.BLOB_STORE.slice('disk:'.length), 'kept');
  const first = new Command(['serve', '--json'], { PORT: '0', ...environment }, { cwd });
  await until(() => filesBelow(kept) >= 5, 'some files are there', 60_000);
  first.signal('SIGKILL');
  await first.outcome;
  expect(first.stdout).toBe('');
  const { command, banner } = await serve(environment, { cwd });
  const { workPackages } = await ask(banner, 'ada', WORLD);
  const files = workPackages.nodes.flatMap(({ attachments }: any) => attachments.nodes);
  expect(files).toHaveLength(25);
  expect(Object.keys(linksOf(await ask(banner, 'mia', LINKS))).sort()).toEqual(
    Object.keys(LINKED).sort(),
  );
  command.signal('SIGTERM');
  await command.outcome;
}, 120_000);

const filesBelow = (folder: string): number => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    ).length;
  } catch {
    return 0;
  }
};

test('DEMO=false leaves an empty database, and starts no storages', async () => {
  const environment = await freshEnvironment();
  const { command, banner } = await serve({ ...environment, DEMO: 'false' });
  expect([banner.demoKeys, banner.demoStorages]).toEqual([{}, {}]);
  const answer = await fetch(`${banner.address}/api/v3/projects`);
  const projects: any = await answer.json();
  expect([answer.status, projects.total]).toEqual([200, 0]);
  const { maximumAttachmentFileSize }: any = await (
    await fetch(`${banner.address}/api/v3/configuration`)
  ).json();
  expect(maximumAttachmentFileSize).toBe(5 * 1024 * 1024);
  command.signal('SIGTERM');
  await command.outcome;
});

test('a drive of the settings is not replaced by that of the demo', async () => {
  const environment = await freshEnvironment();
  const port = await freePort();
  const { command, banner } = await serve({
    ...environment,
    CLOUD_DRIVE_API_URL: `http://127.0.0.1:${port}/v1.0`,
  });
  expect(Object.keys(banner.demoStorages)).toEqual(['fileServer']);
  const { storages } = await ask(banner, 'ada', '{ storages { nodes { name type } } }');
  expect(storages.nodes).toEqual([{ name: 'Club file server', type: 'SELF_HOSTED_FILE_SERVER' }]);
  command.signal('SIGTERM');
  await command.outcome;
});

test('the files of the demo take at most 2 MB of the package', () => {
  const folder = join(import.meta.dirname, '../../demo/files');
  const bytes = readdirSync(folder).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  );
  expect(bytes).toBeLessThan(2_000_000);
});
