/** The fake file server answers like a real one, whose responses were recorded. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT, decodeJwt, exportJWK, generateKeyPair } from 'jose';
import {
  startFileServer,
  type AclEntry,
  type FileServer,
  type TeamFolder,
} from '../../../demo/servers/file-server.js';
import { parseXml, type Element } from '../../../demo/servers/file-server/xml.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../../support/jest.js';
import { readRecording, type Message, type Recording } from '../../support/recordings.js';

const reference = process.env['MOORAGE_REFERENCE_DIR'];
const recordings = join(reference ?? '', 'captures/self-hosted-file-server');
const recording = (folder: string, name: string): Recording =>
  readRecording(join(recordings, folder, `${name}.txt`));
const describeRecorded =
  reference === undefined
    ? (name: string, body: () => void) =>
        (describe.skip ?? describe)(`${name} (skipped: MOORAGE_REFERENCE_DIR is not set)`, body)
    : describe;

/** A fake with the data that the recorded requests of one folder need. */
class Replay {
  /** Recorded secrets, each with its replacement. */
  private readonly secrets = new Map<string, string>();

  constructor(
    readonly server: FileServer,
    readonly folder: string,
    readonly sign: (claims: object) => Promise<string>,
  ) {}

  static async of(folder: string): Promise<Replay> {
    const server = await startFileServer();
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' };
    server.sso = {
      issuer: 'https://id.example.org',
      audience: 'nextcloud',
      jwks: () => ({ keys: [jwk] }),
      uidClaim: 'preferred_username',
    };
    const sign = (claims: object): Promise<string> =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
    return new Replay(server, folder, sign);
  }

  async exchange(
    name: string,
  ): Promise<{ recorded: Recording['response']; answered: Recording['response'] }> {
    const { request, response: recorded } = recording(this.folder, name);
    const body = this.translated(request.body);
    const sent = new Map(
      [...request.headers]
        .filter(([header]) => header !== 'host')
        .map(([header, value]): [string, string] => [header, this.translated(value)]),
    );
    const [scheme, token = ''] = sent.get('authorization')?.split(' ') ?? [];
    if (scheme === 'Bearer' && token.split('.').length === 3)
      sent.set('authorization', `Bearer ${await this.signedAnew(token)}`);
    const multipart = sent.get('content-type')?.startsWith('multipart/') === true;
    const response = await fetch(new URL(this.translated(request.target), this.server.url), {
      method: request.method,
      headers: Object.fromEntries(sent),
      redirect: 'manual',
      ...(body !== '' && { body: multipart ? `${body.replaceAll('\n', '\r\n')}\r\n` : body }),
    });
    const answered = {
      status: response.status,
      headers: new Map(response.headers),
      body: await response.text(),
    };
    this.learn(recorded, answered);
    return { recorded, answered };
  }

  stand(inFor: string, own: string): void {
    this.secrets.set(inFor, own);
  }

  knows(recorded: string): boolean {
    return this.secrets.has(recorded);
  }

  private translated(text: string): string {
    return [...this.secrets]
      .reduce((whole, [recorded, own]) => whole.replaceAll(recorded, own), text)
      .replaceAll(/127\.0\.0\.1:8180/g, new URL(this.server.url).host);
  }

  /** The same claims from the issuer that the fake trusts, with the same age. */
  private async signedAnew(token: string): Promise<string> {
    const { iat = 0, exp = 0, ...claims } = decodeJwt(token);
    const now = this.server.now();
    return this.sign({ ...claims, iss: 'https://id.example.org', iat: now, exp: now + exp - iat });
  }

  private learn(recorded: Message, answered: Message): void {
    const secretsOf = ({ headers, body }: Message): string[] =>
      `${headers.get('location') ?? ''} ${body}`.match(/[A-Za-z0-9]{60,}/g) ?? [];
    const own = secretsOf(answered);
    secretsOf(recorded).forEach((secret, index) => this.secrets.set(secret, own[index] ?? secret));
  }
}

/** The shape of a value: words and numbers by their kind, secrets and digests by their length. */
const shape = (text: string): string =>
  text
    .replaceAll(/[A-Za-z0-9]{12,}/g, (run) => `<${run.length}>`)
    .replaceAll(/(?<![<\d])[A-Za-z]+/g, 'a')
    .replaceAll(/(?<!<)\b\d+\b(?!>)/g, '9');

/** An address without its host and without secrets. */
const place = (text: string): string =>
  text
    .replaceAll(/[A-Za-z0-9]{60,}/g, (run) => `<${run.length}>`)
    .replace(/127\.0\.0\.1:\d+/, 'host');

/** Members and elements that change with time, or that are the server's own words. Only their shape is compared. */
const passing = new Set([
  'access_token',
  'refresh_token',
  'token',
  'expires_on',
  'mtime',
  'lastLogin',
  'lastLoginTimestamp',
  'firstLoginTimestamp',
  'd:getlastmodified',
  'd:getetag',
  'oc:id',
  'oc:fileid',
  'd:quota-used-bytes',
  'nc:trashbin-deletion-time',
]);
const wording = new Set(['message', 's:message', 'o:reason', 's:header']);

function jsonLike(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => jsonLike(one));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, jsonLike(one, key)]));
  if (wording.has(name)) return typeof value;
  if (name === 'url') return place(String(value));
  return passing.has(name) ? `${typeof value} ${shape(String(value))}` : value;
}

/** Elements without an order, because the real server has none. */
function xmlLike({ name, children, text }: Element): unknown {
  const inside = children
    .map(xmlLike)
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  const plain = name.replace(/^\{.*\}/, 'o:');
  return [
    plain,
    ...inside,
    wording.has(plain)
      ? ''
      : passing.has(plain)
        ? shape(text)
        : plain === 'url'
          ? place(text)
          : text.replace(/\.d\d+$/, '.d9'),
  ];
}

const sameHeaders = [
  'content-type',
  'www-authenticate',
  'content-range',
  'content-disposition',
  'allow',
  'dav',
  'vary',
  'accept-ranges',
  'ms-author-via',
  'cache-control',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
  'access-control-allow-credentials',
  'x-oc-mtime',
  'x-oc-ctime',
  'x-nc-ownerid',
  'x-nc-permissions',
  'x-nextcloud-maintenance-mode',
  'retry-after',
  'x-user-id',
];
const likeHeaders = ['etag', 'oc-etag', 'oc-fileid', 'last-modified'];

function like({ status, headers, body }: Recording['response'], name: string): unknown {
  const type = headers.get('content-type') ?? '';
  const same = sameHeaders.map((header) => [header, headers.get(header)]);
  const alike = likeHeaders
    .filter((header) => header !== 'etag' || !name.includes('capabilities'))
    .map((header) => [header, headers.has(header) ? shape(headers.get(header) ?? '') : undefined]);
  const content = type.startsWith('text/html')
    ? body !== ''
    : type.includes('json')
      ? jsonLike(own(JSON.parse(body), name))
      : type.includes('xml')
        ? xmlLike(parseXml(body))
        : body.trimEnd();
  return {
    status,
    headers: Object.fromEntries([...same, ...alike]),
    location: place(headers.get('location') ?? ''),
    content,
  };
}

/** A body as it was sent, except for times and secrets. */
const bytes = ({ body }: Message): string =>
  place(body.trimEnd()).replaceAll(
    /"((?:first|last)Login\w*|mtime|expires_on)":\d+/g,
    (_, name) => `"${name}":0`,
  );

/** Capabilities of other apps. One of them is this app. */
function own(body: any, name: string): unknown {
  if (!name.includes('capabilities')) return body;
  const {
    version,
    capabilities: { integration_openproject },
  } = body.ocs.data;
  return { meta: body.ocs.meta, version, integration_openproject };
}

type Before = (replay: Replay, request: Recording['request']) => Promise<void> | void;
interface Folder {
  /** The data that the recorded requests need. */
  world: (replay: Replay) => Promise<void> | void;
  before?: { [recording: string]: Before };
  each?: Before;
  /** Recordings that are not replayed, with the reason. */
  notReplayed?: { [recording: string]: string };
  /** Also the bytes of the bodies are compared. */
  exact?: true;
}

/** Recorded logins. They are read from the recordings, so that no other file contains them. */
function passwordOf(folder: string, name: string): { id: string; password: string } {
  const value = recording(folder, name).request.headers.get('authorization')?.split(' ')[1] ?? '';
  const [id = '', password = ''] = Buffer.from(value, 'base64').toString().split(/:(.*)/s);
  return { id, password };
}

function people({ server }: Replay, groups: string[] = []): void {
  server.user('alice', {
    displayName: 'Alice Lee',
    groups,
    password: passwordOf('core', '05-user-v1-json').password,
    rootId: 108,
  });
  server.user('brian', {
    displayName: 'Brian Moss',
    password: passwordOf('degraded', '20-disabled-user').password,
    rootId: 107,
  });
}

function reports({ server }: Replay): void {
  server.folder('alice', '/Docs', { id: 109 });
  server.folder('alice', '/Docs/Sub', { id: 110 });
  server.file('alice', '/report.txt', { content: 'hello world, again\n', id: 112 });
  server.file('alice', '/Docs/a.md', { content: '# a', id: 116 });
}

function registeredClient({ server }: Replay): void {
  const form = new URLSearchParams(
    recording('oauth2', '07-token-ok-form-credentials').request.body,
  );
  server.setClient({
    id: form.get('client_id') ?? '',
    secret: form.get('client_secret') ?? '',
    redirectUri: form.get('redirect_uri') ?? '',
  });
}

/** The recorded cookies belong to a session of this user. */
async function loggedIn({ server }: Replay, cookie = ''): Promise<string> {
  const response = await fetch(`${server.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({
      user: 'alice',
      password: passwordOf('core', '05-user-v1-json').password,
    }),
  });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const withSession: Before = async (replay, { headers }) => {
  const recorded = headers.get('cookie') ?? '';
  if (recorded !== '' && !replay.knows(recorded)) replay.stand(recorded, await loggedIn(replay));
};

async function uploadToken({ server }: Replay, folder: number): Promise<string> {
  const { accessToken } = server.grant('alice');
  const response = await fetch(
    `${server.url}/index.php/apps/integration_openproject/direct-upload-token`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
      body: new URLSearchParams({ folder_id: String(folder) }),
    },
  );
  return ((await response.json()) as { token: string }).token;
}

const tokenIn = ({ target }: Recording['request']): string => target.split('/').at(-1) ?? '';

const folders: { [folder: string]: Folder } = {
  core: {
    world: (replay) => people(replay),
    notReplayed: { '04-capabilities-xml': 'the recording is cut' },
  },
  oauth2: {
    world(replay) {
      people(replay);
      registeredClient(replay);
    },
    each: withSession,
    before: { '15-old-access-token-after-refresh': ({ server }) => server.advance(11) },
  },
  'app-fileinfo': {
    world(replay) {
      people(replay);
      const { server } = replay;
      server.file('alice', '/own.txt', { content: 'own', id: 127 });
      server.folder('alice', '/up', { id: 128 });
      server.trash(server.file('alice', '/thrown.txt', { id: 129 }));
      server.file('brian', '/private.txt', { id: 130 });
      server.share(server.file('brian', '/shared.txt', { content: 'shared', id: 131 }), 'alice', {
        readOnly: true,
      });
      server.share(server.folder('brian', '/ro', { id: 132 }), 'alice', {
        readOnly: true,
        reshare: false,
      });
      server.file('alice', '/rest.txt', { content: 'x'.repeat(29) });
    },
  },
  'app-direct-upload': {
    world(replay) {
      people(replay);
      const { server } = replay;
      server.file('alice', '/own.txt', { id: 127 });
      server.folder('alice', '/up', { id: 128 });
      server.share(server.folder('brian', '/ro', { id: 132 }), 'alice', { readOnly: true });
      replay.stand(
        recording('app-direct-upload', '12-token-bearer')
          .request.headers.get('authorization')
          ?.split(' ')[1] ?? '',
        server.grant('alice').accessToken,
      );
    },
    async each(replay, request) {
      const token = tokenIn(request);
      if (
        /\/direct-upload\/\w{64}$/.test(request.target) &&
        !/^A+$/.test(token) &&
        !replay.knows(token)
      )
        replay.stand(token, await uploadToken(replay, 128));
    },
    before: {
      '24-upload-overwrite-false': ({ server }) =>
        void server.file('alice', '/gap.txt', { id: 135 }),
      '34-upload-overwrite-folder': ({ server }) =>
        void server.folder('alice', '/up/dir.txt', { id: 138 }),
      async '35-upload-folder-deleted'(replay, request) {
        const folder = replay.server.folder('alice', '/gone', { id: 140 });
        replay.stand(tokenIn(request), await uploadToken(replay, folder));
        replay.server.remove(folder);
      },
      '36-token-with-tiny-quota'({ server }) {
        server.folder('alice', '/tiny', { id: 139 });
        server.quota('alice', 40);
      },
    },
  },
  dav: { world: (replay) => people(replay) },
  degraded: {
    world(replay) {
      people(replay);
      reports(replay);
    },
    each({ server }, { headers }) {
      server.maintenance = false;
      server.appEnabled = true;
      server.groupFoldersEnabled = true;
      server.disabledUsers.clear();
      if (
        headers.get('authorization') ===
        recording('degraded', '20-disabled-user').request.headers.get('authorization')
      )
        server.disabledUsers.add('brian');
    },
    before: {
      ...Object.fromEntries(
        [
          '01-maint-status',
          '02-maint-ocs-user',
          '03-maint-propfind',
          '04-maint-filesinfo',
          '05-maint-token',
        ].map((name): [string, Before] => [name, ({ server }) => void (server.maintenance = true)]),
      ),
      ...Object.fromEntries(
        ['10-appoff-filesinfo', '11-appoff-upload-token', '12-appoff-capabilities'].map(
          (name): [string, Before] => [name, ({ server }) => void (server.appEnabled = false)],
        ),
      ),
      '13-groupfolders-off-capabilities': ({ server }) => void (server.groupFoldersEnabled = false),
    },
  },
  'direct-download': {
    world(replay) {
      people(replay);
      reports(replay);
    },
  },
  open: {
    world(replay) {
      people(replay);
      reports(replay);
      replay.server.file('alice', '/notes.txt', { id: 97 });
    },
    each: withSession,
  },
  sso: {
    world(replay) {
      people(replay, JSON.parse(recording('sso', '01-user-jwt-ok').response.body).ocs.data.groups);
      reports(replay);
      const { server } = replay;
      server.file('alice', '/report.txt', {
        content: 'hello world, again\n',
        ctime: 1_700_000_000,
      });
      server.file('alice', '/rest.txt', { content: 'x'.repeat(10) });
    },
  },
  'team-folder': {
    exact: true,
    world(replay) {
      const { server } = replay;
      const logins = Object.fromEntries(
        [
          '01-user-status-app-password',
          '33-delete-user-OpenProject-refused',
          '11-alice-before-acl',
          '21-fileinfo-project-folder-brian',
        ].map((name) => {
          const { id, password } = passwordOf('team-folder', name);
          return [id, password];
        }),
      );
      server.user('admin', { password: logins['admin'] ?? '', groups: ['admin'], rootId: 106 });
      server.user('brian', { password: logins['brian'] ?? '', rootId: 107 });
      server.user('alice', {
        displayName: 'Alice Lee',
        password: logins['alice'] ?? '',
        rootId: 108,
      });
      server.file('alice', '/rest.txt', { content: 'x'.repeat(32) });
      server.user('OpenProject', { rootId: 142 });
      server.teamFolder({ password: logins['OpenProject'] ?? '', id: 82 });
    },
  },
};

const inWords = (name: string): string => name.replace(/^\w+?-/, '').replaceAll('-', ' ');

describeRecorded('The fake file server answers what a real one answered', () => {
  const files = (folder: string): string[] =>
    reference === undefined
      ? []
      : readdirSync(join(recordings, folder))
          .map((file) => file.replace('.txt', ''))
          .sort();
  const replayed = new Set<string>();

  for (const [folder, { world, before = {}, each, notReplayed = {}, exact }] of Object.entries(
    folders,
  )) {
    const names = files(folder).filter((name) => !(name in notReplayed));
    if (names.length === 0) continue;
    describe(`to requests of ${folder}`, () => {
      let replay: Replay;

      beforeAll(async () => {
        replay = await Replay.of(folder);
        await world(replay);
      });

      afterAll(() => replay.server.close());

      test.each(names.map((name) => ({ name, words: inWords(name) })))(
        '$words is answered as in the recording',
        async ({ name }) => {
          replayed.add(`${folder}/${name}`);
          const { request } = recording(folder, name);
          await each?.(replay, request);
          await before[name]?.(replay, request);
          const { recorded, answered } = await replay.exchange(name);
          expect(like(answered, name)).toEqual(like(recorded, name));
          if (exact) expect(bytes(answered)).toBe(bytes(recorded));
        },
      );
    });
  }

  test('every recording is replayed, or there is a reason why not', () => {
    const left = Object.entries(folders).flatMap(([folder, { notReplayed = {} }]) =>
      Object.keys(notReplayed).map((name) => `${folder}/${name}`),
    );
    const all = readdirSync(recordings).flatMap((folder) =>
      files(folder).map((name) => `${folder}/${name}`),
    );
    expect([...replayed, ...left].sort()).toEqual(all.sort());
  });
});

const CLIENT = {
  id: 'client',
  secret: 'secret',
  redirectUri: 'https://projects.example.org/callback',
};
const INFO = '/ocs/v1.php/apps/integration_openproject/filesinfo';
const APP = '/index.php/apps/integration_openproject';

describe('The fake file server', () => {
  let server: FileServer;

  beforeAll(async () => {
    server = await startFileServer({ prefix: '/cloud' });
    server.setClient(CLIENT);
    server.user('ada', { displayName: 'Ada Lark', password: 'pass word' });
    server.user('ben', { password: 'ben' });
  });

  afterAll(() => server.close());

  const ask = (
    path: string,
    {
      method = 'GET',
      as = '',
      headers = {},
      body,
    }: {
      method?: string;
      as?: string;
      headers?: { [name: string]: string };
      body?: string | URLSearchParams | FormData;
    } = {},
  ): Promise<Response> =>
    fetch(server.url + path, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        'ocs-apirequest': 'true',
        ...(as && { authorization: as }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  const bearer = (token: string): string => `Bearer ${token}`;
  const basic = (user: string, password: string): string =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const userStatus = async (as: string): Promise<number> =>
    (await ask('/ocs/v1.php/cloud/user', { as })).status;
  const token = async (
    fields: { [name: string]: string },
    secret = CLIENT.secret,
  ): Promise<{ status: number; access_token: string; refresh_token: string; error?: string }> => {
    const response = await ask('/index.php/apps/oauth2/api/v1/token', {
      method: 'POST',
      body: new URLSearchParams({ client_id: CLIENT.id, client_secret: secret, ...fields }),
    });
    return {
      status: response.status,
      ...((await response.json()) as { access_token: string; refresh_token: string }),
    };
  };
  const redeem = (code: string, secret?: string) =>
    token({ grant_type: 'authorization_code', code }, secret);
  const refresh = (refresh_token: string) => token({ grant_type: 'refresh_token', refresh_token });
  const uploadTokenFor = async (folder: number, as: string): Promise<string> =>
    (
      (await (
        await ask(`${APP}/direct-upload-token`, {
          method: 'POST',
          as,
          body: new URLSearchParams({ folder_id: String(folder) }),
        })
      ).json()) as { token: string }
    ).token;
  const upload = (to: string, name: string, content = 'x'): Promise<Response> => {
    const body = new FormData();
    body.set('file', new Blob([content]), name);
    return ask(`${APP}/direct-upload/${to}`, { method: 'POST', body });
  };
  const linkTo = async (fileId: number, as: string, seconds: number): Promise<string> => {
    const response = await ask('/ocs/v2.php/apps/dav/api/v1/direct', {
      method: 'POST',
      as,
      body: new URLSearchParams({ fileId: String(fileId), expirationTime: String(seconds) }),
    });
    return ((await response.json()) as { ocs: { data: { url: string } } }).ocs.data.url;
  };
  const verdictOf = async (
    id: number,
    as: string,
  ): Promise<{ statuscode: number; dav_permissions?: string; path?: string }> => {
    const response = await ask(INFO, {
      method: 'POST',
      as,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fileIds: [id] }),
    });
    return (
      ((await response.json()) as { ocs: { data: { [id: string]: { statuscode: number } } } }).ocs
        .data[id] ?? { statuscode: 0 }
    );
  };
  const ada = basic('ada', 'pass word');
  const ben = basic('ben', 'ben');

  test('a replaced access token works for ten more seconds', async () => {
    const { accessToken, refreshToken } = server.grant('ada');
    const { access_token } = await refresh(refreshToken);
    server.advance(8);
    expect(await userStatus(bearer(accessToken))).toBe(200);
    server.advance(3);
    expect(await userStatus(bearer(accessToken))).toBe(401);
    expect(await userStatus(bearer(access_token))).toBe(200);
  });

  test('an access token expires after an hour and can be refreshed', async () => {
    const { accessToken, refreshToken } = server.grant('ada');
    server.advance(3590);
    expect(await userStatus(bearer(accessToken))).toBe(200);
    server.advance(11);
    expect(await userStatus(bearer(accessToken))).toBe(401);
    const renewed = await refresh(refreshToken);
    expect(renewed).toMatchObject({ status: 200, user_id: 'ada', expires_in: 3600 });
    expect(await userStatus(bearer(renewed.access_token))).toBe(200);
  });

  test('only the first of two refreshes with one token succeeds', async () => {
    const { refreshToken } = server.grant('ada');
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.error).toBe('invalid_request');
  });

  test('a code works once, within ten minutes, and a wrong secret does not use it up', async () => {
    const code = server.grantCode('ada');
    server.advance(595);
    expect(await redeem(code, 'wrong')).toMatchObject({ status: 400, error: 'invalid_client' });
    expect(await redeem(code)).toMatchObject({ status: 200, user_id: 'ada' });
    expect(await redeem(code)).toMatchObject({ status: 400, error: 'invalid_request' });
    const late = server.grantCode('ada');
    server.advance(601);
    expect(await redeem(late)).toMatchObject({ status: 400, error: 'invalid_request' });
  });

  test('a revoked grant can neither be used nor refreshed', async () => {
    const { accessToken, refreshToken } = server.grant('ada');
    server.revokeGrant('ada');
    expect(await userStatus(bearer(accessToken))).toBe(401);
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, error: 'invalid_request' });
  });

  test('an access token that was ended early can be refreshed', async () => {
    const { accessToken, refreshToken } = server.grant('ada');
    server.expireAccess('ada');
    expect(await userStatus(bearer(accessToken))).toBe(401);
    expect(await refresh(refreshToken)).toMatchObject({ status: 200 });
  });

  test('a sign-in and a consent in the browser send the client a code and its state', async () => {
    const cookies = new Map<string, string>();
    const visit = async (
      address: string | URL,
      form?: { [name: string]: string },
    ): Promise<Response> => {
      const response = await fetch(address, {
        redirect: 'manual',
        headers: {
          accept: 'text/html',
          cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
      for (const cookie of response.headers.getSetCookie())
        cookies.set(...(cookie.split(';')[0]?.split('=') as [string, string]));
      const location = response.headers.get('location');
      return location !== null && !location.startsWith(CLIENT.redirectUri)
        ? visit(new URL(location, address))
        : response;
    };
    const submit = async (
      page: Response,
      filled: { [name: string]: string },
    ): Promise<Response> => {
      const html = await page.text();
      const hidden = [...html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
        ([, name, value]) => [name, (value ?? '').replaceAll('&#38;', '&')],
      );
      return visit(new URL(/action="([^"]+)"/.exec(html)?.[1] ?? '', page.url), {
        ...Object.fromEntries(hidden),
        ...filled,
      });
    };
    const login = await visit(
      `${server.url}/index.php/apps/oauth2/authorize?client_id=client&response_type=code&state=a%26b`,
    );
    const again = await submit(login, { user: 'ada', password: 'wrong' });
    expect(again.status).toBe(200);
    const consent = await submit(again, { user: 'ada', password: 'pass word' });
    const arrived = await submit(consent, {});
    const callback = new URL(arrived.headers.get('location') ?? '');
    expect([
      arrived.status,
      callback.origin + callback.pathname,
      callback.searchParams.get('state'),
    ]).toEqual([303, CLIENT.redirectUri, 'a&b']);
    expect(await redeem(callback.searchParams.get('code') ?? '')).toMatchObject({
      status: 200,
      user_id: 'ada',
    });
  });

  test('a consent needs a sign-in first', async () => {
    const response = await ask('/index.php/login/flow', {
      method: 'POST',
      body: new URLSearchParams({ clientIdentifier: CLIENT.id }),
    });
    expect(response.status).toBe(403);
  });

  test('an upload token works for an hour and one attempt, even a failed one', async () => {
    const folder = server.folder('ada', '/inbox');
    const first = await uploadTokenFor(folder, ada);
    expect((await upload(first, '   ')).status).toBe(400);
    expect((await upload(first, 'a.txt')).status).toBe(401);
    const late = await uploadTokenFor(folder, ada);
    server.advance(3601);
    expect((await upload(late, 'a.txt')).status).toBe(404);
  });

  test('a direct upload belongs to the user of its token, who must not be disabled', async () => {
    const folder = server.folder('ada', '/inbox');
    const done = await upload(await uploadTokenFor(folder, ada), 'b.tar.gz', 'content');
    const { file_id } = (await done.json()) as { file_id: number };
    expect([
      done.status,
      server.contentOf(file_id).toString(),
      server.idOf('ada', '/inbox/b.tar.gz'),
    ]).toEqual([201, 'content', file_id]);
    const open = await uploadTokenFor(folder, ada);
    server.disabledUsers.add('ada');
    expect((await upload(open, 'c.txt')).status).toBe(401);
    server.disabledUsers.delete('ada');
  });

  test('a direct link ends at its time, or when the user cannot reach the file any more', async () => {
    const file = server.file('ada', '/linked.txt', { content: 'linked' });
    const link = await linkTo(file, ada, 60);
    expect(link.startsWith(`${server.url}/remote.php/direct/`)).toBe(true);
    expect(await (await fetch(link)).text()).toBe('linked');
    server.advance(61);
    expect((await fetch(link)).status).toBe(404);
    const other = await linkTo(file, ada, 60);
    server.trash(file);
    expect((await fetch(other)).status).toBe(404);
  });

  test('only its owner and the users it is shared with see a file', async () => {
    const folder = server.folder('ada', '/project');
    const file = server.file('ada', '/project/plan.txt');
    expect(await verdictOf(file, ben)).toEqual({ status: 'Forbidden', statuscode: 403 });
    server.share(folder, 'ben', { name: 'from ada' });
    expect(await verdictOf(file, ben)).toMatchObject({
      statuscode: 200,
      path: 'files/from ada/plan.txt',
      dav_permissions: 'SRGDNVW',
    });
    expect((await ask('/remote.php/dav/files/ben/from%20ada/plan.txt', { as: ben })).status).toBe(
      200,
    );
    server.hide(file, 'ben');
    expect((await verdictOf(file, ben)).statuscode).toBe(403);
    expect((await ask('/remote.php/dav/files/ben/from%20ada/plan.txt', { as: ben })).status).toBe(
      404,
    );
    server.unshare(folder, 'ben');
    expect((await verdictOf(folder, ben)).statuscode).toBe(403);
    server.remove(folder);
    expect((await verdictOf(file, ada)).statuscode).toBe(404);
  });

  test('a read-only share allows no writes', async () => {
    server.share(server.folder('ada', '/read only'), 'ben', { readOnly: true });
    const path = '/remote.php/dav/files/ben/read%20only/new';
    expect((await ask(path, { method: 'PUT', as: ben, body: 'x' })).status).toBe(403);
    expect((await ask(path, { method: 'MKCOL', as: ben })).status).toBe(403);
    expect(await uploadTokenFor(server.idOf('ben', '/read only'), ben)).toBeUndefined();
  });

  test('an upload beyond the quota is refused', async () => {
    server.quota('ben', 3);
    expect(
      (await ask('/remote.php/webdav/four', { method: 'PUT', as: ben, body: 'four' })).status,
    ).toBe(507);
    expect(
      (await ask('/remote.php/webdav/two', { method: 'PUT', as: ben, body: 'tw' })).status,
    ).toBe(201);
    server.quota('ben');
  });

  test('a file that is moved over another one replaces it, and the other one goes to the trash', async () => {
    const moved = server.file('ada', '/new.txt');
    const replaced = server.file('ada', '/old.txt');
    const response = await ask('/remote.php/webdav/new.txt', {
      method: 'MOVE',
      as: ada,
      headers: { destination: '/cloud/remote.php/webdav/old.txt' },
    });
    expect([response.status, server.idOf('ada', '/old.txt')]).toEqual([204, moved]);
    expect((await verdictOf(replaced, ada)).statuscode).toBe(404);
  });

  test('an app password works like the password', async () => {
    server.appPassword('ben', 'p:w"');
    expect(await userStatus(basic('ben', 'p:w"'))).toBe(200);
    expect(await userStatus(basic('ada', 'p:w"'))).toBe(401);
  });

  test('a token of the identity provider works until a minute after its end, and unknown users are created', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const keys = [{ ...(await exportJWK(publicKey)), alg: 'RS256' }];
    server.sso = { issuer: 'https://id.example.org', audience: 'files', jwks: () => ({ keys }) };
    const signed = await new SignJWT({ sub: 'cleo' })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer('https://id.example.org')
      .setAudience(['files', 'other'])
      .setExpirationTime(server.now() + 300)
      .sign(privateKey);
    expect(await userStatus(bearer(signed))).toBe(200);
    expect(server.idOf('cleo', '/')).toBeGreaterThan(0);
    server.advance(350);
    expect(await userStatus(bearer(signed))).toBe(200);
    server.advance(20);
    expect(await userStatus(bearer(signed))).toBe(401);
    server.sso = undefined;
  });

  test('only administrators see the configuration of the app', async () => {
    server.user('root', { password: 'root', groups: ['admin'] });
    expect((await ask(`${APP}/check-admin-config`, { as: ada })).status).toBe(403);
    expect(
      await (await ask(`${APP}/check-admin-config`, { as: basic('root', 'root') })).json(),
    ).toEqual({ config_status_without_project_folder: true, project_folder_setup_status: false });
  });

  test('there are no responses outside the prefix', async () => {
    expect((await fetch(new URL('/status.php', server.url))).status).toBe(404);
    expect((await ask('/status.php')).status).toBe(200);
  });

  test('a response can be cut in half', async () => {
    server.fault('half', ({ path }) => path.endsWith('/cloud/user'), 1);
    await expect(
      ask('/ocs/v1.php/cloud/user', { as: ada }).then((response) => response.text()),
    ).rejects.toThrow();
    expect(await userStatus(ada)).toBe(200);
  });
});

describe('The team folder of the fake file server', () => {
  let server: FileServer;
  let team: TeamFolder;
  let folder: number;

  beforeAll(async () => {
    server = await startFileServer();
  });

  beforeEach(() => {
    for (const user of ['ada', 'ben']) server.user(user, { password: user });
    server.user('root', { password: 'root', groups: ['admin'] });
    team = server.teamFolder();
    folder = team.add('Lark (1)');
  });

  afterEach(() => {
    team.drop();
    Object.assign(server, { appEnabled: true, groupFoldersEnabled: true });
  });

  afterAll(() => server.close());

  const LARK = '/OpenProject/Lark%20(1)';
  const basic = (user: string, password: string): string =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const authorization = (user: string): string =>
    basic(user, user === 'OpenProject' ? team.password : user);
  const dav = (
    user: string,
    method: string,
    path: string,
    {
      headers = {},
      body,
      destination,
    }: { headers?: { [name: string]: string }; body?: string; destination?: string } = {},
  ): Promise<Response> =>
    fetch(`${server.url}/remote.php/dav/files/${user}${path}`, {
      method,
      headers: {
        authorization: authorization(user),
        ...headers,
        ...(destination !== undefined && {
          destination: `/remote.php/dav/files/${user}${destination}`,
        }),
      },
      ...(body !== undefined && { body }),
    });
  const statusOf = async (...request: Parameters<typeof dav>): Promise<number> =>
    (await dav(...request)).status;
  const ocs = async (
    user: string,
    path: string,
    { method = 'GET', body, version = 1 }: { method?: string; body?: string; version?: 1 | 2 } = {},
  ): Promise<{ status: number; code: number; data: any }> => {
    const response = await fetch(`${server.url}/ocs/v${version}.php/${path}`, {
      method,
      headers: {
        authorization: authorization(user),
        accept: 'application/json',
        'ocs-apirequest': 'true',
        'content-type': 'application/x-www-form-urlencoded',
      },
      ...(body !== undefined && { body }),
    });
    const { meta, data } = ((await response.json()) as any).ocs;
    return { status: response.status, code: meta.statuscode, data };
  };
  const group = 'groupid=OpenProject';
  const join = (user: string) =>
    ocs('OpenProject', `cloud/users/${user}/groups`, { method: 'POST', body: group });
  const leave = (user: string) =>
    ocs('OpenProject', `cloud/users/${user}/groups?${group}`, { method: 'DELETE' });
  const aclXml = (acl: AclEntry[]): string =>
    `<?xml version="1.0"?><d:propertyupdate xmlns:d="DAV:" xmlns:nc="http://nextcloud.org/ns"><d:set><d:prop><nc:acl-list>${acl
      .map(
        ({ type, id, mask, permissions }) =>
          `<nc:acl><nc:acl-mapping-type>${type}</nc:acl-mapping-type><nc:acl-mapping-id>${id}</nc:acl-mapping-id><nc:acl-mask>${mask}</nc:acl-mask><nc:acl-permissions>${permissions}</nc:acl-permissions></nc:acl>`,
      )
      .join('')}</nc:acl-list></d:prop></d:set></d:propertyupdate>`;
  const setAcl = (path: string, acl: AclEntry[]) =>
    statusOf('OpenProject', 'PROPPATCH', path, { body: aclXml(acl) });
  const entry = (type: 'user' | 'group', id: string, permissions: number, mask = 31): AclEntry => ({
    type,
    id,
    mask,
    permissions,
  });
  const only = (user: string, permissions: number): AclEntry[] => [
    entry('user', 'OpenProject', 31),
    entry('user', user, permissions),
    entry('group', 'OpenProject', 0),
  ];

  test('is set up once, and its password can be replaced', async () => {
    const again = server.teamFolder({ password: 'next' });
    expect([again.id, team.password, team.members()]).toEqual([team.id, 'next', ['OpenProject']]);
    expect((await ocs('OpenProject', 'cloud/user')).code).toBe(100);
    expect(await statusOf('OpenProject', 'PROPFIND', '/OpenProject')).toBe(207);
  });

  test('only members of the group see it', async () => {
    expect(await statusOf('ada', 'PROPFIND', '/OpenProject')).toBe(404);
    expect(team.rights('ada', folder)).toBe(0);
    await join('ada');
    expect(await statusOf('ada', 'PROPFIND', LARK)).toBe(207);
    expect([team.rights('ada', folder), team.members()]).toEqual([31, ['OpenProject', 'ada']]);
    await leave('ada');
    expect(await statusOf('ada', 'PROPFIND', '/OpenProject')).toBe(404);
  });

  test.each([
    { bits: 0, put: 404, replace: 404, make: 409, rename: 404, remove: 404, token: 404 },
    { bits: 1, put: 403, replace: 403, make: 403, rename: 403, remove: 403, token: 404 },
    { bits: 3, put: 403, replace: 204, make: 403, rename: 201, remove: 403, token: 404 },
    { bits: 5, put: 201, replace: 403, make: 201, rename: 403, remove: 403, token: 200 },
    { bits: 9, put: 403, replace: 403, make: 403, rename: 403, remove: 204, token: 404 },
    { bits: 17, put: 403, replace: 403, make: 403, rename: 403, remove: 403, token: 404 },
    { bits: 31, put: 201, replace: 204, make: 201, rename: 201, remove: 204, token: 200 },
    { bits: 30, put: 404, replace: 404, make: 409, rename: 404, remove: 404, token: 404 },
  ])('a member with the bits $bits may do just that', async ({ bits, ...expected }) => {
    await join('ada');
    for (const name of ['old', 'moved', 'gone'])
      server.file('OpenProject', `/OpenProject/Lark (1)/${name}`);
    expect(await setAcl(LARK, only('ada', bits))).toBe(207);
    expect(team.rights('ada', folder)).toBe(bits & 1 ? bits : 0);
    const token = await fetch(
      `${server.url}/index.php/apps/integration_openproject/direct-upload-token`,
      {
        method: 'POST',
        headers: { authorization: authorization('ada') },
        body: new URLSearchParams({ folder_id: String(folder) }),
      },
    );
    expect({
      put: await statusOf('ada', 'PUT', `${LARK}/new`, { body: 'x' }),
      replace: await statusOf('ada', 'PUT', `${LARK}/old`, { body: 'x' }),
      make: await statusOf('ada', 'MKCOL', `${LARK}/folder`),
      rename: await statusOf('ada', 'MOVE', `${LARK}/moved`, { destination: `${LARK}/other` }),
      remove: await statusOf('ada', 'DELETE', `${LARK}/gone`),
      token: token.status,
    }).toEqual(expected);
  });

  test('what one entry of a folder allows wins, and a folder changes what is above it by its mask', async () => {
    await join('ada');
    expect(
      await setAcl('/OpenProject', [
        entry('user', 'OpenProject', 31),
        entry('group', 'OpenProject', 1),
      ]),
    ).toBe(207);
    expect(team.rootAcl()).toEqual([
      entry('user', 'OpenProject', 31),
      entry('group', 'OpenProject', 1),
    ]);
    expect(team.rights('ada', folder)).toBe(1);
    team.setAcl(folder, [entry('user', 'ada', 6, 6)]);
    expect(team.rights('ada', folder)).toBe(7);
    team.setAcl(folder, [entry('user', 'ada', 0), entry('group', 'OpenProject', 9)]);
    expect(team.rights('ada', folder)).toBe(9);
    const below = server.folder('OpenProject', '/OpenProject/Lark (1)/below');
    expect(team.rights('ada', below)).toBe(9);
  });

  test('members see the entries about themselves, and what is inherited', async () => {
    await join('ada');
    team.setAcl(team.id, [entry('user', 'OpenProject', 31), entry('group', 'OpenProject', 1)]);
    team.setAcl(folder, [entry('user', 'ben', 31), entry('user', 'ada', 31)]);
    const body =
      '<d:propfind xmlns:d="DAV:" xmlns:nc="http://nextcloud.org/ns"><d:prop><nc:acl-list/><nc:inherited-acl-list/></d:prop></d:propfind>';
    const shown = async (user: string): Promise<string[][]> => {
      const text = await (
        await dav(user, 'PROPFIND', LARK, { headers: { depth: '0' }, body })
      ).text();
      return ['acl-list', 'inherited-acl-list'].map((name) =>
        [
          ...(new RegExp(`<nc:${name}>.*</nc:${name}>`).exec(text)?.[0] ?? '').matchAll(
            /<nc:acl-mapping-id>(\w+)/g,
          ),
        ].map(([, id = '']) => id),
      );
    };
    expect(await shown('ada')).toEqual([['ada'], ['OpenProject']]);
    expect(await shown('OpenProject')).toEqual([
      ['ben', 'ada'],
      ['OpenProject', 'OpenProject'],
    ]);
  });

  test('the list of entries is replaced, without those about nobody', async () => {
    expect(await setAcl(LARK, only('ada', 15))).toBe(207);
    expect(
      await setAcl(LARK, [
        ...only('ben', 1),
        entry('user', 'ghost', 31),
        entry('group', 'ghosts', 31),
      ]),
    ).toBe(207);
    expect(team.folders()).toEqual([{ id: folder, name: 'Lark (1)', acl: only('ben', 1) }]);
    // Nobody locks themselves out.
    expect(await setAcl(LARK, [entry('user', 'OpenProject', 0)])).toBe(400);
    expect(await statusOf('ada', 'PROPPATCH', '/', { body: aclXml([]) })).toBe(500);
    expect(team.folders()[0]?.acl).toEqual(only('ben', 1));
    expect(await setAcl(LARK, [])).toBe(207);
    expect(team.folders()[0]?.acl).toEqual([]);
  });

  test('a move replaces the target only when it may', async () => {
    const other = team.add('Other');
    const headers = { overwrite: 'F' };
    expect(
      await statusOf('OpenProject', 'MOVE', LARK, { destination: '/OpenProject/Other', headers }),
    ).toBe(412);
    expect(
      await statusOf('OpenProject', 'MOVE', LARK, { destination: '/OpenProject/New', headers }),
    ).toBe(201);
    expect(team.folders().map(({ id, name }) => [id, name])).toEqual([
      [folder, 'New'],
      [other, 'Other'],
    ]);
    expect(
      await statusOf('OpenProject', 'MOVE', '/OpenProject/New', {
        destination: '/OpenProject/Other',
      }),
    ).toBe(204);
    expect(team.folders().map(({ id, name }) => [id, name])).toEqual([[folder, 'Other']]);
    expect(
      await statusOf('OpenProject', 'MOVE', '/OpenProject/Other', { destination: '/Out' }),
    ).toBe(201);
    expect([team.folders(), server.idOf('OpenProject', '/Out')]).toEqual([[], folder]);
    server.remove(folder);
  });

  test('it cannot be deleted or renamed itself, and a name that is hidden is taken', async () => {
    await join('ada');
    expect(await statusOf('OpenProject', 'DELETE', '/OpenProject')).toBe(403);
    expect(await statusOf('OpenProject', 'MOVE', '/OpenProject', { destination: '/X' })).toBe(403);
    expect(await statusOf('OpenProject', 'MKCOL', LARK)).toBe(405);
    expect(await statusOf('OpenProject', 'MKCOL', '/OpenProject')).toBe(405);
    team.setAcl(folder, only('ben', 31));
    expect(await statusOf('ada', 'MKCOL', LARK)).toBe(403);
  });

  test('folders can be made, renamed, moved and removed by hand', async () => {
    const second = team.add('A');
    team.rename(folder, 'Z');
    expect(team.folders().map(({ name }) => name)).toEqual(['A', 'Z']);
    team.moveOut(second);
    expect(server.idOf('OpenProject', '/A')).toBe(second);
    team.remove(folder);
    expect(team.folders()).toEqual([]);
    expect(await statusOf('OpenProject', 'PROPFIND', '/OpenProject/Z')).toBe(404);
    server.remove(second);
  });

  test('it is gone without its apps, or when it is dropped', async () => {
    for (const setting of ['appEnabled', 'groupFoldersEnabled'] as const) {
      server[setting] = false;
      expect(await statusOf('OpenProject', 'PROPFIND', '/OpenProject')).toBe(404);
      expect(team.rights('OpenProject', folder)).toBe(0);
      server[setting] = true;
      expect(await statusOf('OpenProject', 'PROPFIND', '/OpenProject')).toBe(207);
    }
    team.drop();
    expect(await statusOf('OpenProject', 'PROPFIND', '/OpenProject')).toBe(404);
    expect([team.folders(), (await ocs('OpenProject', 'cloud/user')).code]).toEqual([[], 100]);
    expect(server.teamFolder().folders()).toEqual([]);
  });

  test('only administrators of the groups change them', async () => {
    const asked = (user: string, method: string, query = '') =>
      ocs(user, `cloud/users/ben/groups${query}`, { method, ...(query === '' && { body: group }) });
    expect((await asked('ada', 'POST')).code).toBe(104);
    expect((await asked('ada', 'DELETE', `?${group}`)).code).toBe(104);
    expect((await ocs('ada', 'cloud/groups/OpenProject')).code).toBe(403);
    expect((await ocs('ada', 'cloud/users/ben')).code).toBe(403);
    expect((await ocs('ada', 'cloud/users/OpenProject', { method: 'DELETE' })).code).toBe(403);
    expect(
      (
        await ocs('OpenProject', 'cloud/users/ben/groups', {
          method: 'POST',
          body: 'groupid=admin',
        })
      ).code,
    ).toBe(104);
    expect(await ocs('ada', 'cloud/groups/OpenProject/users', { version: 2 })).toMatchObject({
      status: 403,
      code: 403,
    });
    expect((await asked('root', 'POST')).code).toBe(100);
    expect(team.members()).toEqual(['OpenProject', 'ben']);
    expect((await asked('root', 'DELETE', `?${group}`)).code).toBe(100);
  });

  test('unknown users and groups have their own codes, and the user stays in its groups', async () => {
    expect((await join('ghost')).code).toBe(103);
    expect((await leave('ghost')).code).toBe(103);
    expect((await leave('OpenProject')).code).toBe(105);
    // Who was no member is one of the rest now.
    expect((await leave('ada')).code).toBe(105);
    expect((await ocs('OpenProject', 'cloud/users/ada')).data.groups).toEqual([
      'OpenProjectNoAutomaticProjectFolders',
    ]);
    expect((await ocs('OpenProject', 'cloud/users/ghost')).code).toBe(404);
    expect(
      await ocs('OpenProject', 'cloud/users/ada/groups', {
        method: 'POST',
        body: 'groupid=nothing',
        version: 2,
      }),
    ).toMatchObject({ status: 400, code: 102 });
    expect(team.members()).toEqual(['OpenProject']);
  });
});
