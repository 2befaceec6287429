/**
 * A small S3 store for one bucket, with its sign-in (OAuth 2) and its token service (STS).
 * It checks the signature of every request.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { serveFake, type FakeRequest, type FakeServer } from '../../demo/servers/http-server.js';

export const CLIENT = { id: 'client-of-the-gateway', secret: 'secret-of-the-gateway' };
export const BUCKET = 'plans-of-all-houses';

interface StoredObject {
  body: string;
  type: string;
  /** The size of an object that is too large for the memory of this process. */
  size?: number;
  /** Only its owner can read it. */
  hidden?: boolean;
}

export interface ObjectStore {
  server: FakeServer;
  /** Objects by key. */
  objects: Map<string, StoredObject>;
  /** The user of the browser. */
  userId: string;
  /** Ends all access tokens, but no refresh tokens. */
  expire(): void;
  /** Ends all tokens. */
  revoke(): void;
  close(): Promise<void>;
}

const MODIFIED = new Date('2026-03-01T10:20:30.000Z');
const PAGE = 2;

export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, StoredObject>();
  const codes = new Map<string, { userId: string; challenge: string; redirectUri: string }>();
  const [accessTokens, refreshTokens] = [new Map<string, string>(), new Map<string, string>()];
  const sessions = new Map<string, { id: string; secret: string }>();
  const server = await serveFake((request, response) => answer(request, response));
  const store: ObjectStore = {
    server,
    objects,
    userId: 'mia-at-the-store',
    expire: () => accessTokens.clear(),
    revoke() {
      accessTokens.clear();
      refreshTokens.clear();
    },
    close: () => server.close(),
  };
  return store;

  function answer(request: FakeRequest, response: ServerResponse): void {
    const { method, path } = request;
    if (path === '/sign-in/authorize') return authorize(request, response);
    if (path === '/sign-in/token') return token(request, response);
    if (path === '/' && method === 'POST') return assumeRole(request, response);
    if (path === '/') return refused(response, 403, 'AccessDenied');
    if (!`${path}/`.startsWith(`/${BUCKET}/`)) return refused(response, 404, 'NoSuchBucket');
    if (!isSigned(request)) return refused(response, 403, 'SignatureDoesNotMatch');
    const key = decodeURIComponent(path.slice(BUCKET.length + 2));
    if (key === '') return listed(request, response);
    if (method === 'PUT') return put(request, response, key);
    const object = objects.get(key);
    if (!object) return refused(response, 404, 'NoSuchKey');
    if (object.hidden) return refused(response, 403, 'AccessDenied');
    response.writeHead(200, {
      'content-type': object.type,
      'last-modified': MODIFIED.toUTCString(),
      'content-length': object.size ?? Buffer.byteLength(object.body),
    });
    response.end(method === 'HEAD' ? undefined : object.body);
  }

  /** The user is already signed in and consents at once. */
  function authorize({ query }: FakeRequest, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri')!;
    const code = random();
    codes.set(code, { userId: store.userId, challenge: query.get('code_challenge')!, redirectUri });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state')!);
    response.writeHead(302, { location: back.href }).end();
  }

  function token({ body }: FakeRequest, response: ServerResponse): void {
    const form = new URLSearchParams(body.toString());
    const reply = (status: number, value: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (form.get('client_id') !== CLIENT.id || form.get('client_secret') !== CLIENT.secret) {
      return reply(401, { error: 'invalid_client' });
    }
    const userId = form.get('grant_type') === 'refresh_token' ? refreshed(form) : redeemed(form);
    if (userId === undefined) return reply(400, { error: 'invalid_grant' });
    const [access, refresh] = [random(), random()];
    accessTokens.set(access, userId);
    refreshTokens.set(refresh, userId);
    reply(200, {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: 3600,
    });
  }

  function redeemed(form: URLSearchParams): string | undefined {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const isProven = code?.challenge === createHash('sha256').update(verifier).digest('base64url');
    return isProven && code.redirectUri === form.get('redirect_uri') ? code.userId : undefined;
  }

  function refreshed(form: URLSearchParams): string | undefined {
    const userId = refreshTokens.get(form.get('refresh_token') ?? '');
    refreshTokens.delete(form.get('refresh_token') ?? '');
    return userId;
  }

  function assumeRole({ body }: FakeRequest, response: ServerResponse): void {
    const form = new URLSearchParams(body.toString());
    const userId = accessTokens.get(form.get('WebIdentityToken') ?? '');
    if (form.get('Action') !== 'AssumeRoleWithWebIdentity' || userId === undefined) {
      const error = '<Error><Code>InvalidIdentityToken</Code></Error>';
      return xml(response, 400, `<ErrorResponse>${error}</ErrorResponse>`);
    }
    const [id, secret, sessionToken] = [random(), random(), random()];
    sessions.set(sessionToken, { id, secret });
    const keys =
      `<AccessKeyId>${id}</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey>` +
      `<SessionToken>${sessionToken}</SessionToken>`;
    xml(
      response,
      200,
      '<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult>' +
        `<SubjectFromWebIdentityToken>${userId}</SubjectFromWebIdentityToken>` +
        `<Credentials>${keys}</Credentials>` +
        '</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>',
    );
  }

  function put({ headers, body }: FakeRequest, response: ServerResponse, key: string): void {
    if (headers['if-none-match'] === '*' && objects.has(key)) {
      return refused(response, 412, 'PreconditionFailed');
    }
    objects.set(key, { body: body.toString(), type: headers['content-type'] ?? 'text/plain' });
    response.writeHead(200).end();
  }

  /** With small pages. */
  function listed({ query }: FakeRequest, response: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix));
    const found = new Map(
      keys.map((key) => {
        const end = key.indexOf('/', prefix.length) + 1;
        const entry = end > 0 ? key.slice(0, end) : key;
        return [entry, end > 0 ? folderXml(entry) : fileXml(entry)];
      }),
    );
    const names = [...found.keys()].sort().filter((name) => name > after);
    const page = names.slice(0, PAGE);
    const last = escaped(page.at(-1) ?? '');
    const next =
      names.length > PAGE ? `<NextContinuationToken>${last}</NextContinuationToken>` : '';
    const content = page.map((name) => found.get(name)).join('');
    xml(response, 200, `<ListBucketResult>${next}${content}</ListBucketResult>`);
  }

  function fileXml(key: string): string {
    const { body, size } = objects.get(key)!;
    return (
      `<Contents><Key>${escaped(key)}</Key><Size>${size ?? Buffer.byteLength(body)}</Size>` +
      `<LastModified>${MODIFIED.toISOString()}</LastModified></Contents>`
    );
  }

  /** Signature version 4 as in Amazon's documentation, in headers or in the address. */
  function isSigned({ method, path, query, headers }: FakeRequest): boolean {
    const parts = [...(headers.authorization ?? '').matchAll(/(\w+)=([^, ]+)/g)];
    const said = (wanted: string) =>
      query.get(`X-Amz-${wanted}`) ?? parts.find(([, name]) => name === wanted)?.[2] ?? '';
    const header = (name: string) => String(headers[`x-amz-${name}`] ?? '');
    const sessionToken = query.get('X-Amz-Security-Token') ?? header('security-token');
    const session = sessions.get(sessionToken);
    const [id, day = '', region = '', service = '', end = ''] = said('Credential').split('/');
    if (!session || id !== session.id) return false;
    const time = query.get('X-Amz-Date') ?? header('date');
    const pairs = [...query]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort();
    const names = said('SignedHeaders').split(';');
    const lines = names.map((name) => `${name}:${String(headers[name]).trim()}`);
    const payload = query.has('X-Amz-Signature') ? 'UNSIGNED-PAYLOAD' : header('content-sha256');
    const head = [method, path, pairs.join('&'), ...lines];
    const canonical = [...head, '', names.join(';'), payload].join('\n');
    const scope = [day, region, service, end].join('/');
    const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
    const key = [day, region, service, end].reduce(
      (above, part) => hmac(above, part),
      Buffer.from(`AWS4${session.secret}`),
    );
    return said('Signature') === hmac(key, text).toString('hex');
  }
}

const random = () => randomBytes(12).toString('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
const folderXml = (prefix: string) =>
  `<CommonPrefixes><Prefix>${escaped(prefix)}</Prefix></CommonPrefixes>`;

function xml(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?>${text}`);
}

/** The server of Node.js sends no body for HEAD. */
const refused = (response: ServerResponse, status: number, code: string) =>
  xml(response, status, `<Error><Code>${code}</Code></Error>`);
