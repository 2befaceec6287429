/** The integration app's own routes: tokens for uploads by a browser, the uploads, and downloads with a name. */
import {
  UNCACHED,
  empty,
  fields,
  json,
  noRoute,
  page,
  unavailable,
  type Answer,
  type Call,
} from './answer.js';
import { linkedFile } from './file-info.js';
import { refusedName, type Node } from './files.js';
import { secret } from './secret.js';
import type { Site } from './site.js';

const UPLOAD_TOKEN_LENGTH = 64;
/** Seconds. */
const UPLOAD_TOKEN_LIFE = 3600;

const error = (status: number, text: string, more: object = {}): Answer =>
  json(status, { error: text, ...more });
const noFolder = (): Answer => error(404, 'folder not found or not enough permissions');

type Handler = (site: Site, call: Call, ...parts: string[]) => Answer | Promise<Answer>;
const routes: { [pattern: string]: { [method: string]: Handler } } = {
  'direct-upload-token': { POST: uploadToken },
  'direct-upload/([^/]+)': { POST: upload, OPTIONS: preflight },
  'direct/([^/]+)/([^/]+)': { GET: download },
  'check-admin-config': { GET: adminConfig },
};

export async function integration(site: Site, call: Call): Promise<Answer> {
  if (site.settings.maintenance) return unavailable();
  if (!site.settings.appEnabled) return noRoute(call);
  const path = call.path.replace(/^\/index\.php\/apps\/integration_openproject\//, '');
  for (const [pattern, methods] of Object.entries(routes)) {
    const match = new RegExp(`^${pattern}$`).exec(path);
    if (match)
      return (
        (await methods[call.request.method]?.(
          site,
          call,
          ...match.slice(1).map(decodeURIComponent),
        )) ?? empty(405)
      );
  }
  return noRoute(call);
}

/** Who is logged in, or the refusal. */
export async function loggedIn(site: Site, call: Call): Promise<string | Answer> {
  const caller = await site.caller(call.request);
  if ('user' in caller) return caller.user;
  if (caller.refused === 'anonymous' || caller.refused === 'bearer')
    return json(401, { message: 'Current user is not logged in' });
  return {
    ...json(401, { message: '' }),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  };
}

const by = (user: string): { [name: string]: string } => ({
  'x-user-id': encodeURIComponent(user),
});
const as = (user: string, answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...by(user) },
});

async function uploadToken(site: Site, call: Call): Promise<Answer> {
  const user = await loggedIn(site, call);
  if (typeof user !== 'string') return user;
  const id = fields(call)['folder_id'];
  if (id === undefined) return empty(400, { ...UNCACHED, ...by(user) });
  const folder = site.files.node(Number(id));
  if (!reachable(site, user, folder)) return as(user, noFolder());
  const token = secret(UPLOAD_TOKEN_LENGTH);
  const until = site.now() + UPLOAD_TOKEN_LIFE;
  site.uploadTokens.set(token, { user, folder: folder.id, until });
  return as(user, json(200, { token, expires_on: until }));
}

const reachable = (
  site: Site,
  user: string,
  folder: Node | undefined,
): folder is Node & { children: Node[] } =>
  folder?.children !== undefined &&
  site.files.pathFor(user, folder) !== undefined &&
  site.files.may(user, folder, 'C');

function preflight(_: Site, { request }: Call): Answer {
  return empty(200, {
    ...UNCACHED,
    'access-control-allow-origin': request.headers.origin ?? '*',
    'access-control-allow-methods': 'POST',
    'access-control-max-age': '1728000',
    'access-control-allow-headers': 'Authorization, Content-Type, Accept',
    'access-control-allow-credentials': 'false',
  });
}

async function upload(site: Site, call: Call, token = ''): Promise<Answer> {
  const answer =
    token.length === UPLOAD_TOKEN_LENGTH
      ? await attempt(site, call, token)
      : error(404, 'invalid token');
  const { origin } = call.request.headers;
  return origin === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, 'access-control-allow-origin': origin } };
}

async function attempt(site: Site, call: Call, token: string): Promise<Answer> {
  const given = site.uploadTokens.get(token);
  site.uploadTokens.delete(token);
  const form = await parts(call);
  const file = form?.get('file');
  const limits = { upload_limit: site.settings.uploadLimit };
  if (file === undefined || file === null || typeof file === 'string')
    return error(413, 'File was not uploaded. post_max_size exceeded?', limits);
  if (file.size > site.settings.uploadLimit)
    return error(413, 'File was not uploaded. upload_max_filesize exceeded?', limits);
  const name = file.name.replace(/^.*[/\\]/s, '').trim();
  // oxlint-disable-next-line no-control-regex
  if (name === '' || /[\x00-\x1f]/.test(name)) return error(400, 'invalid file name');
  if (refusedName(name) !== undefined) return error(403, 'invalid file name');
  const overwrite = form?.get('overwrite') ?? undefined;
  if (overwrite !== undefined && overwrite !== 'true' && overwrite !== 'false')
    return error(400, 'invalid overwrite value');
  if (!given || !site.users.has(given.user) || site.settings.disabledUsers.has(given.user))
    return error(401, 'unauthorized');
  if (given.until <= site.now()) return error(404, 'invalid token');
  return as(
    given.user,
    store(site, given, { name, content: Buffer.from(await file.arrayBuffer()), overwrite }),
  );
}

async function parts({ request }: Call): Promise<FormData | undefined> {
  try {
    return await new Response(new Uint8Array(request.body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
  } catch {
    return undefined;
  }
}

function store(
  site: Site,
  given: { user: string; folder: number },
  file: { name: string; content: Buffer; overwrite: 'true' | 'false' | undefined },
): Answer {
  const { user } = given;
  const folder = site.files.node(given.folder);
  if (!folder?.children || site.files.pathFor(user, folder) === undefined) return noFolder();
  if (!site.files.may(user, folder, 'C')) return error(403, 'not enough permissions');
  const taken = (name: string): Node | undefined =>
    site.files.entries(user, folder).find((one) => one.name === name);
  const found = taken(file.name);
  if (site.files.isTakenUnseen(user, folder, file.name))
    return error(403, 'not enough permissions');
  if (found && file.overwrite === undefined)
    return error(409, 'conflict, file name already exists');
  if (found?.children && file.overwrite === 'true')
    return error(409, 'overwrite is not allowed on non-files');
  const replaces = found !== undefined && file.overwrite === 'true';
  if (replaces && !site.files.may(user, found, 'W')) return error(403, 'not enough permissions');
  if (file.content.length > site.free(folder.owner)) return error(507, 'insufficient quota');
  const name =
    found && !replaces ? freeName(file.name, (one) => taken(one) !== undefined) : file.name;
  const node = site.files.write(user, folder, name, {
    content: file.content,
    ...(!replaces && { ctime: site.now() }),
  });
  return json(replaces ? 200 : 201, { file_name: node.name, file_id: node.id });
}

/** e.g. `a (2).txt` */
function freeName(name: string, taken: (name: string) => boolean): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? [];
  for (let number = 2; ; number += 1) {
    const candidate = `${stem} (${number})${ending}`;
    if (!taken(candidate)) return candidate;
  }
}

/** Whole files only; a page that says nothing, with status 200, for a link that does not stand. */
function download(site: Site, _: Call, token = '', name = ''): Answer {
  const linked = linkedFile(site, token);
  if (!linked) return page(200, 'Not found', '', UNCACHED);
  const { node } = linked;
  return {
    status: 200,
    headers: {
      'content-type': served(node),
      ...UNCACHED,
      'content-disposition': `attachment; filename="${name.replaceAll('"', '')}"`,
    },
    body: node.content,
  };
}

/** The content type in downloads. */
export const served = ({ mimeType }: Node): string =>
  mimeType.startsWith('text/') ? `${mimeType};charset=UTF-8` : mimeType;

async function adminConfig(site: Site, call: Call): Promise<Answer> {
  const user = await loggedIn(site, call);
  if (typeof user !== 'string') return user;
  if (!site.known(user).groups.includes('admin'))
    return json(403, { message: 'Logged in account must be an admin' }, by(user));
  return json(
    200,
    {
      config_status_without_project_folder: site.settings.client !== undefined,
      project_folder_setup_status: site.team !== undefined,
    },
    by(user),
  );
}
