/** What people meet in their browser: the login, the consent of an authorization, and the pages that show files. */
import {
  UNCACHED,
  escapeHtml,
  json,
  noRoute,
  page,
  queryValue,
  seeOther,
  unavailable,
  type Answer,
  type Call,
} from './answer.js';
import { INSTANCE, type Session, type Site } from './site.js';

export async function pages(site: Site, call: Call): Promise<Answer> {
  if (site.settings.maintenance) return unavailable();
  const path = call.path.replace(/^\/index\.php/, '');
  const method = call.request.method === 'POST' ? 'POST' : 'GET';
  if (path === '/apps/oauth2/authorize') return authorize(site, call);
  if (/^\/login\/flow(\/grant)?$/.test(path))
    return method === 'POST' ? grant(site, call) : consent(site, call);
  if (path === '/login')
    return method === 'POST'
      ? logIn(site, call)
      : loginPage(call, call.request.query.get('redirect_url') ?? '');
  const file = /^\/f\/(\d+)$/.exec(path);
  if (file) return inBrowser(site, call, (user) => openFile(site, call, user, Number(file[1])));
  if (/^\/apps\/files(\/|$)/.test(path))
    return inBrowser(site, call, (user) =>
      page(200, 'Files', '', { ...UNCACHED, 'x-user-id': encodeURIComponent(user) }),
    );
  return noRoute(call);
}

/** The redirect URI that is registered counts; the one of the request is not looked at. */
function authorize(site: Site, call: Call): Answer {
  const { query } = call.request;
  const { client } = site.settings;
  const state = query.get('state') ?? '';
  if (!client || query.get('client_id') !== client.id)
    return page(200, 'Not authorized', '', { ...UNCACHED, ...userOf(site, call) });
  if (query.get('response_type') !== 'code') {
    return seeOther(
      `${client.redirectUri}?error=unsupported_response_type&state=${encodeURIComponent(state)}`,
      userOf(site, call),
    );
  }
  const session = site.session(call.request);
  const cookie: Answer['headers'] = session
    ? {}
    : { 'set-cookie': cookieOf(call, site.startSession({ state })) };
  if (session) session.state = state;
  return seeOther(
    `${call.base}/login/flow?providedRedirectUri=&clientIdentifier=${encodeURIComponent(client.id)}`,
    { ...cookie, ...userOf(site, call) },
  );
}

const cookieOf = ({ prefix }: Call, id: string): string =>
  `${INSTANCE}=${id}; Path=${prefix === '' ? '/' : prefix}; HttpOnly; SameSite=Lax`;

function userOf(site: Site, call: Call): { [name: string]: string } {
  const user = site.session(call.request)?.user;
  return user === undefined ? {} : { 'x-user-id': encodeURIComponent(user) };
}

function consent(site: Site, call: Call): Answer {
  const session = site.session(call.request);
  if (session?.user === undefined)
    return loginPage(call, `${call.prefix}${call.path}?${call.request.query.toString()}`);
  const client = escapeHtml(call.request.query.get('clientIdentifier') ?? '');
  return page(
    200,
    'Account access',
    `<p>${escapeHtml(site.known(session.user).displayName)}</p>
<form method="post" action="${call.prefix}/index.php/login/flow"><input type="hidden" name="clientIdentifier" value="${client}"><button type="submit">Grant access</button></form>`,
    { ...UNCACHED, ...userOf(site, call) },
  );
}

function grant(site: Site, call: Call): Answer {
  const session = site.session(call.request);
  const { client } = site.settings;
  const given = new URLSearchParams(call.request.body.toString('utf8')).get('clientIdentifier');
  if (session?.user === undefined || session.state === undefined || !client || given !== client.id)
    return page(403, 'Access forbidden', '', UNCACHED);
  const state = session.state;
  delete session.state;
  return seeOther(
    `${client.redirectUri}?state=${encodeURIComponent(state)}&code=${site.grants.code(session.user)}`,
    userOf(site, call),
  );
}

const loginPage = ({ prefix }: Call, target: string, failed = false): Answer =>
  page(
    200,
    'Log in',
    `${failed ? '<p role="alert">Wrong login or password.</p>' : ''}
<form method="post" action="${prefix}/login"><input type="hidden" name="redirect_url" value="${escapeHtml(target)}">
<label>Account name <input name="user" autocomplete="username"></label><label>Password <input type="password" name="password" autocomplete="current-password"></label>
<button type="submit">Log in</button></form>`,
    UNCACHED,
  );

function logIn(site: Site, call: Call): Answer {
  const given = new URLSearchParams(call.request.body.toString('utf8'));
  const user = given.get('user') ?? '';
  const target = given.get('redirect_url') ?? '';
  if (!site.passes(user, given.get('password') ?? '') || site.settings.disabledUsers.has(user))
    return loginPage(call, target, true);
  const session: Session = { ...site.session(call.request), user };
  // Only to this server.
  const local = /^\/(?![/\\])/.test(target) ? target : `${call.prefix}/index.php/apps/files`;
  return seeOther(local, { 'set-cookie': cookieOf(call, site.startSession(session)) });
}

async function inBrowser(site: Site, call: Call, show: (user: string) => Answer): Promise<Answer> {
  const caller = await site.caller(call.request);
  if ('user' in caller) return show(caller.user);
  if (!call.request.headers.accept?.includes('html'))
    return json(401, { message: 'Current user is not logged in' });
  const query = call.request.query.toString();
  return seeOther(
    `${call.prefix}/login?redirect_url=${queryValue(`${call.prefix}${call.path}${query === '' ? '' : `?${query}`}`)}`,
  );
}

/** Anything but the literal `false` opens the file. */
function openFile(site: Site, call: Call, user: string, id: number): Answer {
  const node = site.files.node(id);
  const path = node && site.files.pathFor(user, node);
  const target = `${call.prefix}/apps/files/files/${id}`;
  const headers = { 'x-user-id': encodeURIComponent(user) };
  if (path === undefined) return seeOther(target, headers);
  const folder = node?.children ? path : path.slice(0, Math.max(1, path.lastIndexOf('/')));
  return seeOther(
    `${target}?dir=${queryValue(folder)}&openfile=${call.request.query.get('openfile') === 'false' ? 'false' : 'true'}`,
    headers,
  );
}
