/** The OCS interface: an envelope with a verdict of its own, whose first version answers 200 to most failures. */
import { IN_MAINTENANCE, UNCACHED, empty, fields, json, type Answer, type Call } from './answer.js';
import { verdicts, verdict } from './file-info.js';
import { profile } from './profile.js';
import { provisioning } from './provisioning.js';
import { secret } from './secret.js';
import type { Site } from './site.js';
import { dataXml } from './xml.js';

/** `code` as HTTP knows it, or one of OCS (997, 998). */
export interface Verdict {
  code: number;
  message?: string;
  data?: unknown;
}

export interface Route {
  method: string;
  pattern: RegExp;
  open?: boolean;
  app?: boolean;
  /** @param user '' where nobody is logged in and the route is open */
  handle: (site: Site, call: Call, user: string, id: string) => Verdict | Answer;
}

const NOT_LOGGED_IN = { code: 997, message: 'Current user is not logged in' };
const NO_ROUTE = { code: 998, message: 'Invalid query, please check the syntax.' };

const routes: Route[] = [
  {
    method: 'GET',
    pattern: /^cloud\/capabilities$/,
    open: true,
    handle: (site) => ({ code: 200, data: capabilities(site) }),
  },
  {
    method: 'GET',
    pattern: /^cloud\/user$/,
    handle: (site, _, user) => ({ code: 200, data: profile(site, user) }),
  },
  { method: 'POST', pattern: /^apps\/dav\/api\/v1\/direct$/, open: true, handle: directLink },
  {
    method: 'POST',
    pattern: /^apps\/integration_openproject\/filesinfo$/,
    app: true,
    handle: filesInfo,
  },
  {
    method: 'GET',
    pattern: /^apps\/integration_openproject\/fileinfo\/([^/]+)$/,
    app: true,
    handle: fileInfo,
  },
  ...provisioning,
];

export async function ocs(site: Site, call: Call): Promise<Answer> {
  // Apps have some routes in the first version's dialect below `index.php`.
  const [, start = '', path = ''] = /^\/(ocs\/v[12]|index)\.php\/(.*)$/.exec(call.path) ?? [];
  const answer = (given: Verdict, headers?: Answer['headers']): Answer =>
    envelope(call, start !== 'ocs/v2', given, headers);
  if (site.settings.maintenance)
    return answer({ code: 503, message: 'Service unavailable' }, IN_MAINTENANCE);
  const caller = await site.caller(call.request);
  const refused = 'refused' in caller ? caller.refused : undefined;
  if (refused === 'basic' || refused === 'disabled')
    return answer(
      { code: 997, message: 'Unauthorised' },
      { 'www-authenticate': 'Basic realm="Authorisation Required"' },
    );
  const user = 'user' in caller ? caller.user : '';
  const by: Answer['headers'] = user === '' ? {} : { 'x-user-id': encodeURIComponent(user) };
  const route = routes.find(
    (one) =>
      one.method === call.request.method &&
      one.pattern.test(path) &&
      (!one.app || site.settings.appEnabled),
  );
  if (!route) return answer(NO_ROUTE, by);
  if (user === '' && !route.open) return answer(NOT_LOGGED_IN);
  if (call.request.headers['ocs-apirequest'] !== 'true')
    return json(412, { message: 'CSRF check failed' }, by);
  const result = route.handle(
    site,
    call,
    user,
    decodeURIComponent(route.pattern.exec(path)?.[1] ?? ''),
  );
  return 'code' in result
    ? answer(result, by)
    : { ...result, headers: { ...result.headers, ...by } };
}

function envelope(
  { request }: Call,
  first: boolean,
  { code, message, data = [] }: Verdict,
  headers: Answer['headers'] = {},
): Answer {
  const meta = {
    status: code === 200 ? 'ok' : 'failure',
    statuscode: code === 200 && first ? 100 : code,
    message: message ?? (code === 200 ? 'OK' : ''),
    ...(first && { totalitems: '', itemsperpage: '' }),
  };
  const status = httpStatus(code, first);
  const format =
    request.query.get('format') ??
    (request.headers.accept?.includes('application/json') ? 'json' : 'xml');
  if (format === 'json') return json(status, { ocs: { meta, data } }, headers);
  return {
    status,
    headers: { 'content-type': 'application/xml; charset=utf-8', ...UNCACHED, ...headers },
    body: `<?xml version="1.0"?>\n${dataXml('ocs', { meta, data })}`,
  };
}

function httpStatus(code: number, first: boolean): number {
  if (code === 997) return 401;
  if (first && code !== 503) return 200;
  // Codes of a single operation have no meaning for HTTP.
  if (code < 200) return 400;
  return code === 998 ? 404 : code;
}

const capabilities = ({ settings }: Site): object => ({
  version: { major: 34, minor: 0, micro: 1, string: '34.0.1', edition: '', extendedSupport: false },
  capabilities: {
    bruteforce: { delay: 0, 'allow-listed': false },
    ...(settings.appEnabled && {
      integration_openproject: {
        app_version: settings.appVersion,
        groupfolder_version: '22.0.6',
        groupfolders_enabled: settings.groupFoldersEnabled,
      },
    }),
  },
});

/** Seconds. */
const LINK_LIFE = 28_800;
const LONGEST_LINK_LIFE = 86_400;

function directLink(site: Site, call: Call, user: string): Verdict | Answer {
  // The real route is open by mistake, and ends where it needs the user.
  if (user === '') return empty(200);
  const { fileId, expirationTime = LINK_LIFE } = fields(call);
  if (fileId === undefined) return empty(400, UNCACHED);
  const life = Number(expirationTime);
  if (!(life > 0 && life <= LONGEST_LINK_LIFE))
    return {
      code: 400,
      message: `Expiration time should be greater than 0 and less than or equal to ${LONGEST_LINK_LIFE}`,
    };
  const node = site.files.node(Number(fileId));
  if (!node || site.files.pathFor(user, node) === undefined) return { code: 404 };
  if (node.children) return { code: 400, message: 'Direct download only works for files' };
  const token = secret(60);
  site.downloadTokens.set(token, { user, file: node.id, until: site.now() + life });
  return { code: 200, data: { url: `${call.base}/remote.php/direct/${token}` } };
}

function filesInfo(site: Site, call: Call, user: string): Verdict | Answer {
  const { fileIds } = fields(call);
  if (fileIds !== undefined && fileIds !== null && !Array.isArray(fileIds))
    return empty(400, UNCACHED);
  if (!fileIds) return { code: 400, data: 'invalid request' };
  return { code: 200, data: verdicts(site, user, fileIds as (number | string)[]) };
}

function fileInfo(site: Site, _: Call, user: string, id: string): Verdict {
  const data = verdict(site, user, id);
  return { code: data.statuscode, data };
}
