/** WebDAV below `/remote.php`, and the direct links of files. */
import { content, empty, type Answer, type Call } from './answer.js';
import { linkedFile } from './file-info.js';
import { nameFor, refusedName, segments, type Node } from './files.js';
import { served } from './integration.js';
import { INSTANCE, type Site } from './site.js';
import { TEAM, setAcl } from './team-folder.js';
import { aclIn, managesAcl, teamProperties } from './team-properties.js';
import { NAMESPACES, child, escapeXml, parseXml, tag, textTag, type Element } from './xml.js';

const XML = 'application/xml; charset=utf-8';
const ALLOW =
  'OPTIONS, GET, HEAD, DELETE, PROPFIND, PUT, PROPPATCH, COPY, MOVE, REPORT, LOCK, UNLOCK';
const FEATURES =
  '1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, nc-paginate, nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, 2';
const LEGACY_FEATURES = '1, 3, extended-mkcol, nextcloud-checksum-update, 2';
const NAMESPACE_ATTRIBUTES = Object.entries(NAMESPACES)
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join('');

class Refusal extends Error {
  /** @param more markup of further elements */
  constructor(
    readonly status: number,
    readonly exception: string,
    message: string,
    readonly more = '',
    readonly headers: Answer['headers'] = {},
  ) {
    super(message);
  }

  get answer(): Answer {
    const { status, exception, message, more, headers } = this;
    // Errors have quotes as they are, other than properties.
    const text = escapeXml(message).replaceAll('&quot;', '"');
    const body = `${tag('s:exception', escapeXml(exception))}\n  ${tag('s:message', text)}${more}`;
    return {
      status,
      headers: { 'content-type': XML, ...headers },
      body: `<?xml version="1.0" encoding="utf-8"?>\n<d:error xmlns:d="DAV:" xmlns:s="${NAMESPACES['s']}">\n  ${body}\n</d:error>\n`,
    };
  }
}

const refusal = (
  status: number,
  exception: string,
  message: string,
  headers: Answer['headers'] = {},
): Refusal => new Refusal(status, `Sabre\\DAV\\Exception\\${exception}`, message, '', headers);
const missing = (path: string, headers: Answer['headers'] = {}): Refusal =>
  refusal(404, 'NotFound', `File with name ${path} could not be located`, headers);
const forbidden = (): Refusal => refusal(403, 'Forbidden', 'No permission');

/** One user's tree as one of its two addresses shows it. */
interface Tree {
  site: Site;
  call: Call;
  user: string;
  /** The encoded path of its root, without a trailing slash. */
  root: string;
  features: string;
  /** Decoded, below the root, e.g. `/Docs/a.md`. */
  path: string;
}

export async function dav(site: Site, call: Call): Promise<Answer> {
  const [, token] = /^\/remote\.php\/direct\/([^/]+)$/.exec(call.path) ?? [];
  return refusing(async () => {
    if (site.settings.maintenance)
      throw new Refusal(
        503,
        'OCA\\DAV\\Exception\\ServerMaintenanceMode',
        'System is in maintenance mode.',
      );
    if (token !== undefined) return direct(site, call, token);
    const user = await authenticated(site, call);
    const answer = await refusing(() => respond(site, call, user));
    return { ...answer, headers: { ...answer.headers, 'x-user-id': encodeURIComponent(user) } };
  });
}

async function refusing(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

async function authenticated(site: Site, call: Call): Promise<string> {
  const caller = await site.caller(call.request);
  if ('user' in caller) return caller.user;
  if (caller.refused === 'disabled')
    throw refusal(503, 'ServiceUnavailable', 'OC\\User\\DisabledUserException: Account disabled');
  const why = {
    anonymous: "No 'Authorization' header found",
    basic: 'Username or password was incorrect',
    bearer: 'Bearer token was incorrect',
  }[caller.refused];
  throw refusal(401, 'NotAuthenticated', why, {
    'www-authenticate': 'Basic realm="Nextcloud", charset="UTF-8"',
  });
}

function respond(site: Site, call: Call, user: string): Answer {
  const {
    path,
    prefix,
    request: { method },
  } = call;
  const names = segments(path);
  const [, service, area, id] = names;
  const legacy = service === 'webdav';
  const top = legacy ? 2 : 4;
  const tree = {
    site,
    call,
    user,
    root: `${prefix}/${names.slice(0, top).join('/')}`,
    features: legacy ? LEGACY_FEATURES : FEATURES,
    path: decoded(names.slice(top).join('/')),
  };
  if (legacy) return inTree(tree);
  if (service === 'dav' && area === undefined && method === 'SEARCH')
    return search(site, call, user);
  const owner = decodeURIComponent(id ?? '');
  if (area === 'files' && owner !== '')
    return owner === user ? inTree(tree) : otherTree(tree, owner);
  if (area === 'trashbin' && owner === user && tree.path === '/trash' && method === 'PROPFIND')
    return trashbin(tree);
  throw refusal(404, 'NotFound', 'Node not found');
}

const decoded = (path: string): string => `/${segments(path).map(decodeURIComponent).join('/')}`;

/** As the real server does, with small letters. */
const encoded = (path: string): string =>
  path.replace(/[^A-Za-z0-9_\-.~()/]+/g, (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );

const handlers: { [method: string]: (tree: Tree) => Answer } = {
  PROPFIND: propfind,
  PROPPATCH: proppatch,
  MKCOL: makeFolder,
  PUT: put,
  GET: get,
  HEAD: get,
  MOVE: move,
  COPY: move,
  DELETE: remove,
  OPTIONS: ({ features }) =>
    empty(200, { allow: ALLOW, dav: features, 'ms-author-via': 'DAV', 'accept-ranges': 'bytes' }),
};

function inTree(tree: Tree): Answer {
  const handle = handlers[tree.call.request.method];
  if (!handle)
    throw refusal(
      501,
      'NotImplemented',
      'There was no plugin in the system that was willing to handle this method.',
    );
  return handle(tree);
}

/** Nobody is told what another user has: all properties are missing, even of the tree itself. */
function otherTree({ site, call, root, path }: Tree, owner: string): Answer {
  if (!site.users.has(owner) || path !== '/' || call.request.method !== 'PROPFIND')
    throw refusal(404, 'NotFound', `${path} could not be located`);
  return multistatus([response(`${root}/`, requested(call) ?? [], () => undefined)], FEATURES);
}

const at = ({ site, user }: Tree, path: string): Node => {
  const node = site.files.at(user, path);
  if (!node) throw missing(path);
  return node;
};

const hrefOf = ({ root }: Pick<Tree, 'root'>, path: string, node: Node): string =>
  `${root}${encoded(path)}${node.children && path !== '/' ? '/' : ''}`;

function propfind(tree: Tree): Answer {
  const { site, call, user, path, features } = tree;
  const names = requested(call);
  const node = site.files.at(user, path);
  if (!node) throw missing(path, { vary: 'Brief,Prefer', dav: features });
  const listed = below(
    site,
    user,
    path,
    node,
    { 0: 0, 1: 1 }[String(call.request.headers['depth'])] ?? Infinity,
  );
  return multistatus(
    listed.map(([where, one], index) =>
      response(hrefOf(tree, where, one), names ?? defaults(one), (name) => {
        const element = property(site, user, one, name);
        return index > 0 && site.files.isMount(one) ? asEntry(name, element) : element;
      }),
    ),
    features,
  );
}

/** The node and what is in it, with paths. */
const below = (
  site: Site,
  user: string,
  path: string,
  node: Node,
  depth: number,
): [string, Node][] => [
  [path, node],
  ...(depth === 0
    ? []
    : site.files
        .entries(user, node)
        .flatMap((one) =>
          below(site, user, `${path === '/' ? '' : path}/${nameFor(user, one)}`, one, depth - 1),
        )),
];

/** The names that are asked for; undefined where all are. */
function requested({ request }: Call): string[] | undefined {
  if (request.body.length === 0) return undefined;
  return child(document(request.body), 'd:prop')?.children.map(({ name }) => name);
}

function document(body: Buffer): Element {
  try {
    return parseXml(body.toString('utf8'));
  } catch (error) {
    throw refusal(400, 'BadRequest', (error as Error).message);
  }
}

const defaults = ({ children }: Node): string[] => [
  'd:getlastmodified',
  'd:resourcetype',
  'd:getetag',
  ...(children
    ? ['d:quota-used-bytes', 'd:quota-available-bytes']
    : ['d:getcontentlength', 'd:getcontenttype']),
];

/** What a property is about. */
interface Subject {
  site: Site;
  user: string;
  node: Node;
  folder: boolean;
}

const properties: { [name: string]: (subject: Subject) => string | number | undefined } = {
  'oc:fileid': ({ node }) => node.id,
  'oc:id': ({ node }) => paddedId(node),
  'oc:size': ({ site, node }) => site.files.size(node),
  'oc:permissions': ({ site, user, node }) => site.files.permissions(user, node),
  'oc:owner-id': ({ site, user, node }) => site.files.ownerFor(user, node),
  'oc:owner-display-name': ({ site, user, node }) =>
    site.users.get(site.files.ownerFor(user, node))?.displayName,
  'nc:creation_time': ({ node }) => node.ctime,
  'nc:has-preview': ({ node, folder }) => String(!folder && /^(text|image)\//.test(node.mimeType)),
  'nc:mount-type': ({ user, node }) => (node.shares.has(user) ? 'shared' : ''),
  'd:displayname': ({ user, node }) => (node.parent ? nameFor(user, node) : node.owner),
  'd:creationdate': ({ node }) =>
    new Date(node.ctime * 1000).toISOString().replace('.000Z', '+00:00'),
  'd:getlastmodified': ({ node }) => httpDate(node.mtime),
  'd:getetag': ({ node }) => `"${node.etag}"`,
  'd:getcontentlength': ({ site, node, folder }) => (folder ? undefined : site.files.size(node)),
  'd:getcontenttype': ({ node, folder }) => (folder ? undefined : node.mimeType),
  'd:quota-used-bytes': ({ site, node, folder }) => (folder ? site.files.size(node) : undefined),
  'd:quota-available-bytes': ({ site, node, folder }) =>
    folder ? available(site, node.owner) : undefined,
};

/** The element; undefined where the file has no such property. */
function property(site: Site, user: string, node: Node, name: string): string | undefined {
  const folder = node.children !== undefined;
  if (name === 'd:resourcetype') return tag(name, folder ? tag('d:collection') : '');
  if (name in teamProperties && site.files.isInTeam(node))
    return teamProperties[name]?.(site, user, node);
  const value = properties[name]?.({ site, user, node, folder });
  return value === undefined ? undefined : textTag(name, escapeXml(String(value)));
}

/** As an entry of the root, the team folder seems to be fixed. Asked itself, it does not. */
const asEntry = (name: string, element: string | undefined): string | undefined =>
  name === 'oc:permissions' ? element?.replace(/DNV|D|NV/, '') : element;

const available = (site: Site, owner: string): number =>
  Number.isFinite(site.free(owner)) ? Math.max(0, site.free(owner)) : -3;
const paddedId = ({ id }: Node): string => `${String(id).padStart(8, '0')}${INSTANCE}`;
const httpDate = (seconds: number): string => new Date(seconds * 1000).toUTCString();

/** @param elementOf undefined for what is missing */
function response(
  href: string,
  names: string[],
  elementOf: (name: string) => string | undefined,
): string {
  const propstat = (markup: string[], status: string): string =>
    markup.length === 0
      ? ''
      : tag('d:propstat', tag('d:prop', markup.join('')) + tag('d:status', `HTTP/1.1 ${status}`));
  const elements = names.map((name) => ({ name, element: elementOf(name) }));
  const absent = elements.filter(({ element }) => element === undefined);
  return tag(
    'd:response',
    tag('d:href', href) +
      propstat(
        elements.flatMap(({ element }) => element ?? []),
        '200 OK',
      ) +
      propstat(
        absent.map(({ name }) => tag(name)),
        '404 Not Found',
      ),
  );
}

function multistatus(responses: string[], features?: string): Answer {
  const body = responses.length === 0 ? '/>' : `>${responses.join('')}</d:multistatus>`;
  return {
    status: 207,
    headers: { 'content-type': XML, ...(features && { vary: 'Brief,Prefer', dav: features }) },
    body: `<?xml version="1.0"?>\n<d:multistatus${NAMESPACE_ATTRIBUTES}${body}\n`,
  };
}

function proppatch(tree: Tree): Answer {
  const { call, path, root } = tree;
  const node = at(tree, path);
  const set = child(child(document(call.request.body), 'd:set'), 'd:prop')?.children ?? [];
  for (const element of set) {
    const { name, text } = element;
    if (name === 'nc:creation_time') node.ctime = Number(text);
    if (name === 'd:lastmodified') node.mtime = Number(text);
    if (name === 'nc:acl-list') replaceAcl(tree, node, element);
  }
  // As it was asked, so a folder has no slash.
  const answer = multistatus([
    response(
      `${root}${encoded(path)}`,
      set.map(({ name }) => name),
      (name) => tag(name),
    ),
  ]);
  return { ...answer, headers: { ...answer.headers, vary: 'Brief,Prefer' } };
}

/** Whoever does not manage it has no such property, and no way to store a list as another one. */
function replaceAcl({ site, user }: Tree, node: Node, list: Element): void {
  if (!site.files.isInTeam(node) || !managesAcl(user))
    throw new Refusal(
      500,
      'Sabre\\DAV\\Exception',
      `Property "{${NAMESPACES['nc']}}acl-list" has an invalid value of array containing object`,
    );
  const before = node.acl;
  setAcl(node, aclIn(site, list));
  if (site.files.teamRights(user, node) !== 0) return;
  node.acl = before;
  throw refusal(400, 'BadRequest', 'You can not remove your own read permission.');
}

function split(path: string): { folder: string; name: string } {
  const names = segments(path);
  return { folder: `/${names.slice(0, -1).join('/')}`, name: names.at(-1) ?? '' };
}

function nameAllowed(name: string): void {
  const why = refusedName(name);
  const extra = (element: string, text: string): string =>
    `\n  <o:${element} xmlns:o="o:">${escapeXml(text)}</o:${element}>`;
  if (why !== undefined)
    throw new Refusal(
      400,
      'OCA\\DAV\\Connector\\Sabre\\Exception\\InvalidPath',
      why,
      extra('retry', 'false') + extra('reason', why),
    );
}

const mayAdd = (site: Site, user: string, folder: Node, name: string): boolean =>
  site.files.may(user, folder, 'C') && !site.files.isTakenUnseen(user, folder, name);

/** The app lets nobody else delete or rename what is directly in the team folder. */
function guarded({ site, user }: Tree, node: Node): void {
  if (node.parent && site.files.isMount(node.parent) && user !== TEAM)
    throw new Refusal(
      500,
      'OC\\HintException',
      'This is configured as a project folder on OpenProject and cannot be deleted or renamed.',
    );
}

function makeFolder({ site, call, user, path }: Tree): Answer {
  const { folder, name } = split(path);
  if (site.files.at(user, path))
    throw new Refusal(
      405,
      'Sabre\\DAV\\Exception\\MethodNotAllowed',
      'The resource you tried to create already exists',
      '',
      { allow: ALLOW },
    );
  const parent = site.files.at(user, folder);
  if (!parent?.children) throw refusal(409, 'Conflict', 'Parent node does not exist');
  if (call.request.body.length > 0)
    throw refusal(
      415,
      'UnsupportedMediaType',
      'The request body for the MKCOL request must have an xml Content-Type',
    );
  nameAllowed(name);
  if (!mayAdd(site, user, parent, name)) throw forbidden();
  if (site.free(parent.owner) <= 0) throw refusal(507, 'InsufficientStorage', 'Insufficient space');
  return empty(201, { 'oc-fileid': paddedId(site.files.folder(user, path)) });
}

function put(tree: Tree): Answer {
  const {
    site,
    call: {
      request: { headers, body },
    },
    user,
    path,
  } = tree;
  const { folder, name } = split(path);
  const found = site.files.at(user, path);
  if (found?.children) throw refusal(409, 'Conflict', 'PUT is not allowed on non-files.');
  if (found && headers['if-none-match'] === '*')
    throw refusal(412, 'PreconditionFailed', 'The resource exists.');
  const parent = at(tree, folder);
  if (!parent.children)
    throw refusal(409, 'Conflict', 'Files can only be created as children of collections');
  nameAllowed(name);
  if (!(found ? site.files.may(user, found, 'W') : mayAdd(site, user, parent, name)))
    throw forbidden();
  if (body.length - (found?.content.length ?? 0) > site.free(parent.owner))
    throw refusal(507, 'InsufficientStorage', 'Insufficient space');
  const [mtime, ctime] = [headers['x-oc-mtime'], headers['x-oc-ctime']];
  const file = site.files.write(user, parent, name, {
    content: body,
    ...(mtime !== undefined && { mtime: Number(mtime) }),
    ...(ctime !== undefined && { ctime: Number(ctime) }),
  });
  const etag = `"${file.etag}"`;
  return empty(found ? 204 : 201, {
    ...(mtime !== undefined && { 'x-oc-mtime': 'accepted' }),
    ...(ctime !== undefined && { 'x-oc-ctime': 'accepted' }),
    'oc-fileid': paddedId(file),
    etag,
    'oc-etag': etag,
    'x-nc-ownerid': site.files.ownerFor(user, file),
    'x-nc-permissions': site.files.permissions(user, file),
  });
}

function get(tree: Tree): Answer {
  const { user, path, call } = tree;
  const node = at(tree, path);
  if (node.children) return { ...empty(200), body: 'A folder has no content.' };
  const name = nameFor(user, node);
  const etag = `"${node.etag}"`;
  return content(call, node.content, {
    'content-type': served(node),
    'last-modified': httpDate(node.mtime),
    etag,
    'oc-etag': etag,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}; filename="${encodeURIComponent(name)}"`,
  });
}

/** Moves, or copies. */
function move(tree: Tree): Answer {
  const {
    site,
    call: { request, prefix },
    user,
    path,
    root,
  } = tree;
  const copies = request.method === 'COPY';
  const node = at(tree, path);
  const target = destination(request.headers['destination'], prefix, root);
  const { folder, name } = split(target);
  const parent = site.files.at(user, folder);
  if (!parent?.children) throw refusal(409, 'Conflict', 'The destination node is not found');
  if (target === path) throw refusal(403, 'Forbidden', 'Source and destination uri are identical.');
  if (`${target}/`.startsWith(`${path}/`))
    throw refusal(
      409,
      'Conflict',
      'The destination may not be part of the same subtree as the source path.',
    );
  const found = site.files.at(user, target);
  if (found && request.headers['overwrite'] === 'F') {
    throw new Refusal(
      412,
      'Sabre\\DAV\\Exception\\PreconditionFailed',
      'The destination node already exists, and the overwrite header is set to false',
      `\n  ${tag('s:header', 'Overwrite')}`,
    );
  }
  nameAllowed(name);
  const leaves = site.files.at(user, split(path).folder) !== parent;
  if (
    (!copies && (site.files.isMount(node) || !site.files.may(user, node, leaves ? 'D' : 'N'))) ||
    ((copies || leaves) && !site.files.may(user, parent, 'C')) ||
    (found && (site.files.isMount(found) || !site.files.may(user, found, 'D'))) ||
    site.files.isTakenUnseen(user, parent, name)
  )
    throw forbidden();
  if (!copies) guarded(tree, node);
  if (found) {
    guarded(tree, found);
    site.files.trash(found);
  }
  if (copies)
    return empty(found ? 204 : 201, {
      'oc-fileid': paddedId(site.files.copy(user, node, parent, name)),
    });
  site.files.move(user, node, parent, name);
  return empty(found ? 204 : 201, { 'oc-fileid': paddedId(node) });
}

/** An address or a path; decoded, below the root. */
function destination(header: string | string[] | undefined, prefix: string, root: string): string {
  if (typeof header !== 'string')
    throw refusal(400, 'BadRequest', 'The destination header was not supplied');
  const path = header.replace(/^https?:\/\/[^/]+/, '');
  const base = path.startsWith(`${prefix}/remote.php/webdav/`)
    ? `${prefix}/remote.php/webdav`
    : root;
  if (!decoded(path).startsWith(`${decoded(base)}/`))
    throw refusal(403, 'Forbidden', 'The destination is outside of the tree.');
  return decoded(path).slice(decoded(base).length);
}

function remove(tree: Tree): Answer {
  const { site, user, path } = tree;
  const node = at(tree, path);
  if (path === '/' || site.files.isMount(node) || !site.files.may(user, node, 'D'))
    throw forbidden();
  guarded(tree, node);
  site.files.trash(node);
  return empty(204);
}

/** Only by file id, in the asking user's own tree. */
function search(site: Site, call: Call, user: string): Answer {
  const query = child(document(call.request.body), 'd:basicsearch');
  const equal = child(child(query, 'd:where'), 'd:eq');
  const scope = child(child(child(query, 'd:from'), 'd:scope'), 'd:href')?.text ?? '';
  if (child(child(equal, 'd:prop'), 'oc:fileid') === undefined)
    throw refusal(400, 'BadRequest', 'Only searches by file id are known.');
  if (decoded(scope) !== `/files/${user}`)
    throw refusal(404, 'NotFound', `${scope} could not be located`);
  const node = site.files.node(Number(child(equal, 'd:literal')?.text));
  const path = node && site.files.pathFor(user, node);
  const names = child(child(query, 'd:select'), 'd:prop')?.children.map(({ name }) => name) ?? [];
  const root = `${call.prefix}/remote.php/dav/files/${encoded(user)}`;
  const answer = multistatus(
    node && path !== undefined
      ? [response(hrefOf({ root }, path, node), names, (name) => property(site, user, node, name))]
      : [],
  );
  return { ...answer, headers: { 'content-type': 'application/xml; charset="utf-8"' } };
}

function trashbin({ site, call, user, root }: Tree): Answer {
  const names = requested(call) ?? [];
  const thrown = site.files.trashOf(user).map(({ node, at: time, from }) =>
    response(`${root}/trash/${encoded(`${node.name}.d${time}`)}`, names, (name) => {
      const own: { [name: string]: string } = {
        'nc:trashbin-filename': node.name,
        'nc:trashbin-original-location': from,
        'nc:trashbin-deletion-time': String(time),
      };
      return own[name] === undefined
        ? property(site, user, node, name)
        : textTag(name, escapeXml(own[name]));
    }),
  );
  return multistatus([response(`${root}/trash/`, names, () => undefined), ...thrown], FEATURES);
}

/** Anyone who has the link; without a name for the file. */
function direct(site: Site, call: Call, token: string): Answer {
  const linked = linkedFile(site, token);
  if (!linked) throw refusal(404, 'NotFound', '');
  const { node } = linked;
  return content(call, node.content, {
    'content-type': served(node),
    'last-modified': httpDate(node.mtime),
    etag: node.etag,
  });
}
