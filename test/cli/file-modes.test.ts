/** Permissions of the files that the service makes, whatever the umask of its start. */
import { chmodSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { emptyFolder, endCommands, program, run, serve, type Environment } from '../support/cli.js';
import { databaseKind, freshDatabase } from '../support/database.js';
import { afterAll, expect, test } from '../support/jest.js';

afterAll(endCommands);

const sqlite = databaseKind() === 'sqlite';

/** A working folder, with the database and the files in folders that the service makes. */
async function freshPlace(): Promise<{ cwd: string; environment: Environment }> {
  const cwd = emptyFolder();
  const { url } = await freshDatabase();
  return {
    cwd,
    environment: {
      DATABASE_URL: sqlite ? `sqlite:${join(cwd, 'rows/here/moorage.sqlite3')}` : url,
      BLOB_STORE: `disk:${join(cwd, 'files/here')}`,
    },
  };
}

/** The command `moorage`, started with an umask. */
const by = (umask: string) => [
  'sh',
  '-c',
  `umask ${umask}; exec "$@"`,
  'sh',
  process.execPath,
  ...program,
];

/** The modes of all files and folders below a folder. */
function modesBelow(root: string): { [path: string]: string } {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(root, path), (lstatSync(path).mode & 0o777).toString(8)];
    }),
  );
}

/** Serves, uploads a file, and looks at all files before the end. */
async function modesOf(umask: string, settings: Environment) {
  const { cwd, environment } = await freshPlace();
  const { command, banner } = await serve({ ...environment, ...settings }, { cwd, by: by(umask) });
  const form = new FormData();
  form.set('metadata', new Blob(['{"fileName":"a.txt"}'], { type: 'application/json' }));
  form.set('file', new Blob(['content']), 'a.txt');
  const { status } = await fetch(`${banner.address}/api/v3/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${banner.demoKeys['ada']}` },
    body: form,
  });
  expect(status).toBe(200);
  const modes = modesBelow(cwd);
  command.signal('SIGTERM');
  expect((await command.outcome).status).toBe(0);
  return { cwd, environment, modes };
}

test.each([
  ['000', 'false', '600', '700'],
  ['077', 'false', '600', '700'],
  ['000', 'true', '660', '770'],
  ['077', 'true', '660', '770'],
])(
  'with the umask %s and FILE_GROUP_ACCESS=%s files have the mode %s and folders %s',
  async (umask, FILE_GROUP_ACCESS, file, folder) => {
    const { modes } = await modesOf(umask, { FILE_GROUP_ACCESS });
    const names = Object.keys(modes).join('\n');
    for (const part of [
      ...(sqlite ? ['moorage.sqlite3', 'moorage.sqlite3-wal', 'moorage.sqlite3-shm'] : []),
      'data/secret-key',
      'demo-keys.json',
      'files/here/kept/',
    ])
      expect(names).toContain(part);
    const isFile = (path: string) =>
      /\.sqlite3|secret-key|demo-keys|demo-drive|^files\/here\/kept\/[^/]+\/./.test(path);
    expect(modes).toEqual(
      Object.fromEntries(Object.keys(modes).map((path) => [path, isFile(path) ? file : folder])),
    );
  },
  60_000,
);

test('doctor names the files that others can open, and what to type', async () => {
  const { cwd, environment } = await modesOf('022', {});
  const fileModes = async (settings: Environment = {}) => {
    const { stdout } = await run(['doctor', '--json'], { ...environment, ...settings }, { cwd });
    const { checks } = JSON.parse(stdout) as {
      checks: { name: string; outcome: string; detail: string }[];
    };
    return checks.find(({ name }) => name === 'file modes');
  };
  const good = { name: 'file modes', outcome: 'ok', detail: 'no wider than the settings allow' };
  expect(await fileModes()).toEqual(good);
  chmodSync(join(cwd, 'data/secret-key'), 0o640);
  chmodSync(join(cwd, 'files/here'), 0o755);
  const wide = await fileModes();
  const paths = `'${join(cwd, 'data/secret-key')}' '${join(cwd, 'files/here')}'`;
  expect(wide).toEqual({
    ...good,
    outcome: 'failed',
    detail: `Other users can open or replace these. Type: chmod -R u=rwX,go= ${paths}`,
  });
  expect((await fileModes({ FILE_GROUP_ACCESS: 'true' }))?.detail).toBe(
    `Other users can open or replace these. Type: chmod -R ug=rwX,o= '${join(cwd, 'files/here')}'`,
  );
  const typed = wide!.detail.split('Type: ')[1]!;
  await run(['-c', typed], {}, { by: ['sh'] });
  expect(await fileModes()).toEqual(good);
  const data = join(cwd, 'data');
  chmodSync(data, 0o2770);
  expect(await fileModes()).toEqual(good);
  chmodSync(data, 0o777);
  chmodSync(join(data, 'secret-key'), 0o644);
  const shared = await fileModes();
  expect(shared?.detail).toBe(
    'Other users can open or replace these. ' +
      `Type: chmod -R u=rwX,go= '${join(data, 'secret-key')}' && chmod o-w '${data}'`,
  );
  await run(['-c', shared!.detail.split('Type: ')[1]!], {}, { by: ['sh'] });
  expect(await fileModes()).toEqual(good);
  // As in /tmp, nobody can replace the files of others.
  chmodSync(data, 0o1777);
  expect(await fileModes()).toEqual(good);
  // What cannot be looked at is not called good.
  symlinkSync(join(data, 'circle'), join(data, 'circle'));
  const hidden = `disk:${join(data, 'circle')}`;
  expect(await fileModes({ BLOB_STORE: hidden })).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('ELOOP'),
  });
}, 60_000);
