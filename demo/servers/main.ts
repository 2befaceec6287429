/**
 * The two storages of the demo, in a process of their own. They keep everything in memory: each
 * start has the same files with the same ids. They end with the process that has started them.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startCloudDrive } from './cloud-drive.js';
import { startFileServer } from './file-server.js';

const folder = fileURLToPath(new URL('../../demo/', import.meta.url));
const world = JSON.parse(readFileSync(`${folder}world.json`, 'utf8'));
const people = [
  { login: 'ada', displayName: 'Ada Admin' },
  { login: 'mia', displayName: 'Mia Member' },
  { login: 'rob', displayName: 'Rob Reader' },
];
const PASSWORD = 'files';
const PORTS = { fileServer: 8090, drive: 8091 };

/** When the files were changed, in milliseconds since 1970. */
const CHANGED = Date.now() - 12 * 86_400_000;

const contentOf = ({ file }: { file: string }) => readFileSync(`${folder}files/${file}`);

/** Another program may have the port. */
const onPort = <T>(port: number, start: (port?: number) => Promise<T>): Promise<T> =>
  start(port).catch(() => start());

async function openFileServer() {
  const { client, tokens, folders, files } = world.storages.fileServer;
  const server = await onPort(PORTS.fileServer, (port) =>
    startFileServer(port === undefined ? {} : { port }),
  );
  for (const { login, displayName } of people)
    server.user(login, { displayName, password: PASSWORD });
  for (const { id, path, sharedWith = [] } of folders) {
    server.folder('ada', path, { id });
    for (const login of sharedWith) server.share(id, login);
  }
  for (const file of files)
    server.file('ada', file.path, {
      id: file.id,
      content: contentOf(file),
      mtime: Math.floor(CHANGED / 1000),
    });
  for (const [login, kept] of Object.entries<any>(tokens)) server.keepGrant(login, kept);
  return {
    url: server.url,
    redirectTo: (redirectUri: string) => server.setClient({ ...client, redirectUri }),
  };
}

async function openDrive() {
  const { client, tokens, folders, files, tenantId, driveId } = world.storages.drive;
  const drive = await onPort(PORTS.drive, (port) =>
    startCloudDrive({ ids: { tenantId, driveId }, ...(port !== undefined && { port }) }),
  );
  for (const { login, displayName } of people)
    drive.user(login, { displayName, email: `${login}@example.test`, password: PASSWORD });
  for (const { path, ...options } of folders) drive.folder(path, { ...options, by: 'ada' });
  for (const { id, path, file, visibleTo } of files)
    drive.file(path, {
      id,
      ...(visibleTo && { visibleTo }),
      by: 'ada',
      content: contentOf({ file }),
      modifiedAt: new Date(CHANGED).toISOString(),
    });
  for (const [userId, { accessToken, refreshToken }] of Object.entries<any>(tokens)) {
    drive.accessTokens.set(accessToken, { caller: { userId }, expires: Infinity });
    drive.refreshTokens.set(refreshToken, { userId, expires: Infinity, revoked: false });
  }
  return {
    url: drive.url,
    redirectTo: (redirectUri: string) => drive.setClient({ ...client, redirectUri }),
  };
}

// Ctrl-C reaches this process as well. It still serves what the program finishes.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

const servers = { fileServer: await openFileServer(), drive: await openDrive() };
process.on('message', ({ address }: { address: string }) => {
  for (const key of ['fileServer', 'drive'] as const)
    servers[key].redirectTo(`${address}/oauth_clients/${world.storages[key].client.id}/callback`);
});
process.send?.({ fileServer: servers.fileServer.url, drive: servers.drive.url });
