/** Microsoft Graph around its operations on items: tokens, throttling, errors, headers, people, the drive. */
import { randomUUID } from 'node:crypto';
import { batch } from './batch.js';
import { decoded, header, Refusal, type Call, type Reply } from './exchange.js';
import type { Caller } from './items.js';
import { onItem } from './operations.js';
import { drive, person, selected } from './represent.js';
import type { Tenant } from './tenant.js';
import type { Uploads } from './upload.js';

/** One tenant, its upload sessions, and the way that members of a batch are asked. */
export interface Service {
  tenant: Tenant;
  uploads: Uploads;
  member(call: Call): Reply;
}

/** The same media type in the spellings that are in use. */
const contentTypes = [
  'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8',
  'application/json; odata.metadata=minimal; odata.streaming=true; IEEE754Compatible=false; charset=utf-8',
  'application/json; charset=utf-8',
  'application/json',
];
let answers = 0;

/** The answer with the headers that all answers have. */
export function graph(service: Service, call: Call, { member = false } = {}): Reply {
  return dressed(call, () => {
    throttled(service.tenant, call, member);
    const caller = authenticated(service.tenant, call);
    if (call.path === '/$batch') return batch(service, call);
    return route(service, call, caller);
  });
}

/** Runs an operation; refusals become errors in the dialect of Graph. */
export function dressed(call: Call, answer: () => Reply): Reply {
  const id = randomUUID();
  const clientId = header(call, 'client-request-id') ?? id;
  const reply = refusing(answer, { 'request-id': id, 'client-request-id': clientId });
  answers += 1;
  return {
    ...reply,
    headers: {
      'Cache-Control': 'no-store',
      'Strict-Transport-Security': 'max-age=31536000',
      'request-id': id,
      'client-request-id': clientId,
      'x-ms-ags-diagnostic': JSON.stringify({
        ServerInfo: {
          DataCenter: 'West Europe',
          Slice: 'E',
          Ring: '5',
          ScaleUnit: '003',
          RoleInstance: 'AM4PEPF00000000',
        },
      }),
      ...(reply.status < 400 && reply.json !== undefined && { 'odata-version': '4.0' }),
      ...(reply.json !== undefined && {
        'Content-Type': contentTypes[answers % contentTypes.length]!,
      }),
      ...reply.headers,
    },
  };
}

function refusing(answer: () => Reply, ids: object): Reply {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message, inner, headers } = error;
    // The date has no zone.
    return {
      status,
      headers,
      json: {
        error: {
          code,
          message,
          ...(inner && {
            innerError: {
              ...(typeof inner === 'string' && { code: inner }),
              date: new Date().toISOString().slice(0, 19),
              ...ids,
            },
          }),
        },
      },
    };
  }
}

function throttled({ throttles }: Tenant, call: Call, member: boolean): void {
  const found = throttles.find(
    ({ left, members = false, when }) => left > 0 && members === member && (when?.(call) ?? true),
  );
  if (!found) return;
  found.left -= 1;
  throw new Refusal(
    ({ 401: 'unauthenticated', 403: 'denied', 429: 'throttled', 503: 'unavailable' } as const)[
      found.status ?? 429
    ],
    undefined,
    found.retryAfter === undefined ? {} : { 'Retry-After': String(found.retryAfter) },
  );
}

function authenticated(tenant: Tenant, call: Call): Caller {
  const token = /^Bearer (.+)$/i.exec(header(call, 'authorization') ?? '')?.[1];
  const access = token === undefined ? undefined : tenant.accessTokens.get(token);
  if (access && access.expires > tenant.now()) return access.caller;
  const challenge =
    'Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", client_id="00000003-0000-0000-c000-000000000000"';
  throw new Refusal('unauthenticated', tokenProblem(token, access !== undefined), {
    'WWW-Authenticate': challenge,
  });
}

function tokenProblem(token: string | undefined, expired: boolean): string {
  if (token === undefined) return 'Access token is empty.';
  if (expired) return 'Lifetime validation failed, the token is expired.';
  if (token.split('.').length === 3) return 'Access token validation failure. Invalid signature.';
  return "IDX14100: JWT is not well formed, there are no dots (.).\nThe token needs to be in JWS or JWE Compact Serialization Format. (JWS): 'EncodedHeader.EncodedPayload.EncodedSignature'. (JWE): 'EncodedProtectedHeader.EncodedEncryptedKey.EncodedInitializationVector.EncodedCiphertext.EncodedAuthenticationTag'.";
}

function route(service: Service, call: Call, caller: Caller): Reply {
  const { tenant } = service;
  const at = `${call.method} ${call.path}`;
  if (at === 'GET /me') return me(tenant, call, caller);
  const userId = /^GET \/users\/([^/]+)$/.exec(at)?.[1];
  if (userId !== undefined) return oneUser(tenant, call, decoded(userId));
  if (at === 'GET /me/drive') return oneDrive(tenant, call);
  const [, driveId, rest] = /^\/drives\/([^/:]+)(.*)$/.exec(call.path) ?? [];
  if (driveId === undefined || rest === undefined) return unknown(at);
  checkDrive(tenant, decoded(driveId), caller);
  if (rest === '' && call.method === 'GET') return oneDrive(tenant, call);
  return onItem(service, call, caller, rest) ?? unknown(at);
}

function unknown(at: string): never {
  throw new Error(`The fake does not offer ${at}.`);
}

function checkDrive(tenant: Tenant, driveId: string, caller: Caller): void {
  if (!/^b![\w-]{43,}$/.test(driveId)) throw new Refusal('malformedDrive');
  if (driveId !== tenant.driveId) throw new Refusal('nonsense');
  if (caller === 'app' && !tenant.appCanRead) throw new Refusal('unreadable');
}

function me(tenant: Tenant, call: Call, caller: Caller): Reply {
  if (caller === 'app')
    throw new Refusal(
      'badRequest',
      '/me request is only valid with delegated authentication flow.',
    );
  return oneUser(tenant, call, caller.userId);
}

function oneUser(tenant: Tenant, { query }: Call, id: string): Reply {
  const user = tenant.users.get(id);
  if (!user) throw new Refusal('noUser');
  return {
    status: 200,
    headers: {},
    json: {
      '@odata.context': `${tenant.apiUrl}/$metadata#users/$entity`,
      ...selected(person(user), query.get('$select')),
    },
  };
}

function oneDrive(tenant: Tenant, { query }: Call): Reply {
  return {
    status: 200,
    headers: {},
    json: {
      '@odata.context': `${tenant.apiUrl}/$metadata#drives/$entity`,
      ...selected(drive(tenant), query.get('$select')),
    },
  };
}
