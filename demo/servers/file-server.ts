/** A self-hosted file server, with the app that integrates it: real HTTP, and the answers that a real one was seen to give. */
import { json, noRoute, send, type Answer, type Call } from './file-server/answer.js';
import { dav } from './file-server/dav.js';
import type { FileOptions, Node, Share } from './file-server/files.js';
import { tokenEndpoint } from './file-server/grants.js';
import { integration } from './file-server/integration.js';
import { ocs } from './file-server/ocs.js';
import { pages } from './file-server/pages.js';
import { Site, type Client, type Settings, type UserOptions } from './file-server/site.js';
import type { TeamFolder } from './file-server/team-folder.js';
import { serveFake, type FakeRequest, type FakeServer } from './http-server.js';

export type { FileOptions, Share } from './file-server/files.js';
export type { AclEntry, TeamFolder } from './file-server/team-folder.js';
export type { Client, Settings, SingleSignOn, UserOptions } from './file-server/site.js';

/** `url` has the prefix. */
export interface FileServer extends FakeServer, Settings {
  /** A user with a root folder. */
  user(id: string, options?: UserOptions): void;
  /** A further password, for programs. */
  appPassword(user: string, password: string): void;
  /** @param bytes unlimited when absent */
  quota(user: string, bytes?: number): void;
  /** Creates or replaces a file, with the folders on its way; returns the file id. */
  file(user: string, path: string, options?: FileOptions): number;
  /** Returns the file id. */
  folder(user: string, path: string, options?: { id?: number }): number;
  /** Puts a file or folder into another user's root folder. */
  share(id: number, withUser: string, options?: Share): void;
  unshare(id: number, withUser: string): void;
  /** Still exists, but the user does not reach it nor what is below it. */
  hide(id: number, fromUser: string): void;
  /** Into its owner's trash. */
  trash(id: number): void;
  /** For good. */
  remove(id: number): void;
  /** The file id of what the user has at a path, e.g. `/`. */
  idOf(user: string, path: string): number;
  contentOf(id: number): Buffer;
  /** Sets up the team folder of the integration app, with its user `OpenProject` and its groups, or gives the one that is there. */
  teamFolder(options?: { password?: string; id?: number }): TeamFolder;
  setClient(client: Client): void;
  /** An authorization code, as the user's consent gives it to the client. */
  grantCode(user: string): string;
  grant(user: string): { accessToken: string; refreshToken: string };
  /** Tokens that the server accepts until they are revoked. A refresh gives them again. */
  keepGrant(user: string, tokens: { accessToken: string; refreshToken: string }): void;
  /** The access tokens of the user stop; they can be refreshed. */
  expireAccess(user: string): void;
  /** The user takes back what was granted. */
  revokeGrant(user: string): void;
  /** Lets the server's clock jump. */
  advance(seconds: number): void;
  /** Unix seconds by the server's clock. */
  now(): number;
}

/**
 * @param options.prefix of all its paths, e.g. `/cloud`; none when absent
 * @param options.port a free one when absent
 */
export async function startFileServer({
  prefix = '',
  port,
}: { prefix?: string; port?: number } = {}): Promise<FileServer> {
  const site = new Site();
  const fake = await serveFake(
    async (request, response) =>
      send(response, await answer(site, request, prefix), request.method),
    port,
  );
  const node = (id: number): Node => {
    const found = site.files.node(id);
    if (!found) throw new Error(`The file server has no file ${id}.`);
    return found;
  };
  return Object.assign(site.settings, fake, {
    url: fake.url + prefix,
    user: (id, options) => void site.user(id, options),
    appPassword: (user, password) => void site.known(user).appPasswords.add(password),
    quota: (user, bytes) => void (site.known(user).quota = bytes),
    file(user, path, options) {
      const cut = path.lastIndexOf('/');
      const folder = site.files.folder(site.known(user).id, path.slice(0, Math.max(0, cut)));
      return site.files.write(user, folder, path.slice(cut + 1), options).id;
    },
    folder: (user, path, { id } = {}) => site.files.folder(site.known(user).id, path, id).id,
    share: (id, withUser, options = {}) =>
      void node(id).shares.set(site.known(withUser).id, { ...options }),
    unshare: (id, withUser) => void node(id).shares.delete(withUser),
    hide: (id, fromUser) => void node(id).hiddenFrom.add(fromUser),
    trash: (id) => site.files.trash(node(id)),
    remove: (id) => site.files.remove(node(id)),
    idOf(user, path) {
      const found = site.files.at(site.known(user).id, path);
      if (!found) throw new Error(`${user} has no ${path}.`);
      return found.id;
    },
    contentOf: (id) => node(id).content,
    teamFolder: (options) => site.teamFolder(options),
    setClient: (client) => void (site.settings.client = client),
    grantCode: (user) => site.grants.code(site.known(user).id),
    grant: (user) => site.grants.grant(site.known(user).id),
    keepGrant: (user, tokens) => site.grants.keep(site.known(user).id, tokens),
    expireAccess: (user) => site.grants.expireAccess(user),
    revokeGrant: (user) => site.grants.revoke(user),
    advance: (seconds) => site.advance(seconds),
    now: site.now,
  } satisfies Omit<FileServer, keyof Settings | Exclude<keyof FakeServer, 'url'>>);
}

function answer(site: Site, request: FakeRequest, prefix: string): Answer | Promise<Answer> {
  const call: Call = {
    request,
    prefix,
    path: request.path.slice(prefix.length),
    base: `http://${request.headers.host}${prefix}`,
  };
  const below = (path: string): boolean => call.path.startsWith(path);
  if (!`${request.path}/`.startsWith(`${prefix}/`)) return noRoute(call);
  if (call.path === '/status.php') return status(site);
  if (below('/ocs/v1.php/') || below('/ocs/v2.php/')) return ocs(site, call);
  if (call.path === '/index.php/apps/groupfolders/folders' && site.settings.groupFoldersEnabled)
    return ocs(site, call);
  if (below('/remote.php/')) return dav(site, call);
  if (call.path === '/index.php/apps/oauth2/api/v1/token' && request.method === 'POST')
    return tokenEndpoint(site, call);
  if (below('/index.php/apps/integration_openproject/')) return integration(site, call);
  return pages(site, call);
}

const status = ({ settings: { maintenance } }: Site): Answer => ({
  ...json(200, {
    installed: true,
    maintenance,
    needsDbUpgrade: false,
    version: '34.0.1.2',
    versionstring: '34.0.1',
    edition: '',
    productname: 'Nextcloud',
    extendedSupport: false,
  }),
  headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
});
