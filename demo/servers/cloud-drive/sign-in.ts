/** Entra ID's authorize endpoint and the two pages behind it: sign in, consent. */
import { randomUUID } from 'node:crypto';
import { descriptionOf, tenantProblem } from './entra.js';
import type { Call, Reply } from './exchange.js';
import type { Tenant } from './tenant.js';

/** @param tenantName the first segment of the path */
export function authorize(tenant: Tenant, { query }: Call, tenantName: string): Reply {
  const problem = requestProblem(tenant, query, tenantName);
  if (problem !== undefined) return page('Sign in', `<p id="error">${escaped(problem)}</p>`);
  if (query.get('prompt') === 'none')
    return back(query, {
      error: 'login_required',
      error_description: 'AADSTS50058: A silent sign-in request was sent but no user is signed in.',
    });
  return signInPage(query, tenantName);
}

/** What the form of the sign-in page sends. */
export function signIn(tenant: Tenant, call: Call, tenantName: string): Reply {
  const fields = new URLSearchParams(call.body.toString());
  const query = new URLSearchParams(fields.get('request') ?? '');
  const user = userOf(tenant, fields);
  if (!user) return signInPage(query, tenantName, 'AADSTS50126: Invalid username or password.');
  return page(
    'Permissions requested',
    `<p>${escaped(user.displayName)}: this app would like to read and write your files.</p>${form(
      tenantName,
      'consent',
      query,
      {
        // The proof that this browser has signed in.
        proof: tenant.seal({ userId: user.id }),
      },
      '<button name="decision" value="accept">Accept</button> <button name="decision" value="deny">Cancel</button>',
    )}`,
  );
}

/** What the form of the consent page sends: back to the application. */
export function consent(tenant: Tenant, call: Call): Reply {
  const fields = new URLSearchParams(call.body.toString());
  const query = new URLSearchParams(fields.get('request') ?? '');
  const proof = tenant.unseal(fields.get('proof') ?? '');
  if (!proof) return page('Sign in', '<p id="error">AADSTS50058: No user is signed in.</p>');
  if (fields.get('decision') !== 'accept')
    return back(query, {
      error: 'access_denied',
      error_subcode: 'cancel',
      error_description: 'AADSTS65004: User declined to consent to access the app.',
    });
  const challenge = query.get('code_challenge');
  const code = tenant.grantCode(proof.userId, {
    redirectUri: query.get('redirect_uri') ?? tenant.client.redirectUri,
    scope: query.get('scope') ?? '',
    ...(challenge !== null && {
      codeChallenge: challenge,
      codeChallengeMethod: query.get('code_challenge_method') ?? 'plain',
    }),
  });
  return back(query, { code, session_state: randomUUID() });
}

/** Nothing is sent to an address that is not the client's own. */
function requestProblem(
  tenant: Tenant,
  query: URLSearchParams,
  tenantName: string,
): string | undefined {
  const problem = tenantProblem(tenant, tenantName);
  if (problem) return descriptionOf(problem);
  if (query.get('client_id') !== tenant.client.id) return descriptionOf('clientUnknown');
  if (query.get('redirect_uri') !== tenant.client.redirectUri)
    return 'AADSTS50011: The redirect URI specified in the request does not match the redirect URIs configured for the application.';
  if (query.get('response_type') !== 'code')
    return 'AADSTS900144: The request must contain response_type=code.';
  return undefined;
}

const userOf = ({ users }: Tenant, fields: URLSearchParams) =>
  [...users.values()].find(
    ({ email, password }) =>
      email.toLowerCase() === fields.get('loginfmt')?.toLowerCase() &&
      password === fields.get('passwd'),
  );

/** To the application, in the mode that it asked for. */
function back(query: URLSearchParams, answer: { [name: string]: string }): Reply {
  const redirectUri = query.get('redirect_uri')!;
  const state = query.get('state');
  const fields = { ...answer, ...(state !== null && { state }) };
  if (query.get('response_mode') === 'form_post') {
    return page(
      'Working',
      `<form method="post" action="${escaped(redirectUri)}">${hidden(fields)}<button>Continue</button></form><script>document.forms[0].submit()</script>`,
    );
  }
  const url = new URL(redirectUri);
  if (query.get('response_mode') === 'fragment') url.hash = new URLSearchParams(fields).toString();
  else for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return { status: 302, headers: { Location: url.href, 'Cache-Control': 'no-store, no-cache' } };
}

function signInPage(query: URLSearchParams, tenantName: string, problem?: string): Reply {
  const email = `<label>Email <input type="email" name="loginfmt" value="${escaped(query.get('login_hint') ?? '')}" required></label>`;
  const password = '<label>Password <input type="password" name="passwd" required></label>';
  return page(
    'Sign in',
    `${problem === undefined ? '' : `<p id="error">${escaped(problem)}</p>`}${form(tenantName, 'login', query, {}, `${email} ${password} <button>Sign in</button>`)}`,
  );
}

const form = (
  tenantName: string,
  action: string,
  query: URLSearchParams,
  fields: { [name: string]: string },
  body: string,
) =>
  `<form method="post" action="/${escaped(tenantName)}/${action}">${hidden({ request: query.toString(), ...fields })}${body}</form>`;

const hidden = (fields: { [name: string]: string }) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
    .join('');

const page = (title: string, body: string): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store, no-cache' },
  content: `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}`,
});

const escaped = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
