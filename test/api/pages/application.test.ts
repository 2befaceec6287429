/** The web application: its page, its files, and the way to it through the sign-in. */
import { loadDemo } from '../../../src/actions/operate/demo/load-demo.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import { notFound } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { ask } from '../../support/raw.js';
import { describeS3, freshBucket, s3Environment } from '../../support/rgw.js';
import { PASSWORD, signable } from '../auth/support/applications.js';

let app: App;
let person: Person;
beforeAll(async () => {
  app = await startApp();
  person = await signable(app);
});
afterAll(() => app.stop());

async function signedIn(on = app, who = person): Promise<Visitor> {
  const visitor = new Visitor(on);
  expect((await visitor.signIn(who.login, PASSWORD)).status).toBe(303);
  return visitor;
}

const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? '';

/** The policy of the page, with its nonce replaced. */
const policyOf = ({ headers }: { headers: Headers }) => {
  const policy = headers.get('content-security-policy')!;
  return policy.replaceAll(nonceOf(policy), 'N');
};

const policyWith = ({ connect = '', media = '' } = {}) =>
  "default-src 'none'; script-src 'self' 'nonce-N'; style-src 'self' 'nonce-N'; " +
  `img-src 'self' blob: data:${media}; media-src 'self' blob: data:${media}; font-src 'self'; ` +
  `worker-src 'self'; connect-src 'self'${media}${connect} https://*.sharepoint.com; ` +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

describe('the page of the application', () => {
  test('is at all its addresses', async () => {
    const visitor = await signedIn();
    const project = await app.given.project({ identifier: 'demo' });
    await app.given.membership(person, project, [
      'view_work_packages',
      'view_meetings',
      'view_messages',
      'view_wiki_pages',
    ]);
    const { id } = await app.given.workPackage(project, person);
    for (const address of [
      '/',
      `/wp/${id}`,
      `/wp/${id}/activity`,
      `/work_packages/${id}`,
      `/work_packages/${id}/activity`,
      `/work_packages/details/${id}`,
      `/work_packages/details/${id}/overview`,
      `/meetings/${(await app.given.meeting(project, person)).id}`,
      `/posts/${(await app.given.post(project, person)).id}`,
      `/wiki_pages/${(await app.given.wikiPage(project, person)).id}`,
      '/projects',
      '/projects/demo',
      `/projects/demo/work_packages/${id}/activity`,
      `/projects/demo/work_packages/details/${id}`,
      '/projects/demo/work_packages/new?type=1',
      '/projects/demo/storages/',
      '/search?q=plan',
      '/recent',
      '/notifications',
      `/notifications/details/${id}`,
      `/notifications/details/${id}/activity`,
    ]) {
      const { status, text, headers } = await visitor.get(address);
      expect([address, status, headers.get('content-type'), text.includes('<div id="page">')])
        // The page is the same everywhere. Its script reads the address.
        .toEqual([address, 200, 'text/html; charset=utf-8', true]);
    }
  });

  test('is also where nothing is, and where something is hidden, with another status', async () => {
    const hidden = await app.given.project({ identifier: 'hidden' });
    const { id } = await app.given.workPackage(hidden, person);
    const wrong = [
      '/wp/999999',
      `/work_packages/${id}`,
      `/projects/hidden/work_packages/${id}/activity`,
      '/projects/hidden',
      '/projects/no-such-project/meetings',
      '/projects/demo/elsewhere',
      '/meetings/0',
      '/posts/1e3',
      '/wiki_pages/999999',
      '/wiki_pages/999999/any/thing',
      '/wp',
      '/meetings',
      '/elsewhere',
      '/elsewhere.txt?of=it',
      '/api/elsewhere',
    ];
    const visitor = await signedIn();
    for (const address of wrong) {
      const { status, text, headers } = await visitor.get(address);
      expect([
        address,
        status,
        headers.get('content-type'),
        text.includes('<div id="page">'),
      ]).toEqual([address, 404, 'text/html; charset=utf-8', true]);
    }
    const stranger = await new Visitor(app).get('/elsewhere');
    expect([stranger.status, stranger.text.includes('<div id="page">')]).toEqual([404, true]);
  });

  test('is not the answer to programs', async () => {
    const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const ask = (path: string, accept?: string) =>
      app.request('GET', path, { headers: accept === undefined ? asBrowser : { accept } });
    for (const path of [
      '/api/v3/elsewhere',
      '/graphql/elsewhere',
      '/oauth/elsewhere',
      '/previews/elsewhere',
      '/health/elsewhere',
      '/metrics/elsewhere',
    ])
      expect([path, await ask(path)]).toMatchObject([path, { status: 404, body: notFound }]);
    expect((await ask('/uploads/elsewhere')).status).toBe(405);
    for (const accept of ['*/*', 'application/json', 'application/hal+json, */*'])
      expect(await ask('/elsewhere', accept)).toMatchObject({ status: 404, body: notFound });
    expect(await app.request('POST', '/elsewhere', { headers: asBrowser })).toMatchObject({
      status: 404,
      body: notFound,
    });
  });

  test('is strict about what it loads, and nobody keeps it', async () => {
    const page = await (await signedIn()).get('/recent');
    const names = [
      'content-security-policy',
      'cache-control',
      'referrer-policy',
      'x-content-type-options',
    ];
    expect({
      ...Object.fromEntries(names.map((name) => [name, page.headers.get(name)])),
      'content-security-policy': policyOf(page),
    }).toEqual({
      'content-security-policy': policyWith(),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  test('has a new nonce each time, in its policy and in its tags', async () => {
    const visitor = await signedIn();
    const pages = [await visitor.get('/'), await visitor.get('/')];
    const nonces = pages.map(({ headers }) => nonceOf(headers.get('content-security-policy')));
    expect(new Set(nonces).size).toBe(2);
    for (const [index, { text }] of pages.entries()) {
      expect(nonces[index]).toMatch(/^[\w+/]{22}==$/);
      const inTags = [...text.matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce);
      expect(inTags.length).toBeGreaterThanOrEqual(3);
      expect(new Set(inTags)).toEqual(new Set([nonces[index]]));
    }
  });

  test('may send files to the storages that the person sees, and to where drives take them', async () => {
    const project = await app.given.project();
    const member = await signable(app);
    await app.given.membership(member, project, ['view_work_packages', 'view_file_links']);
    const used = await app.given.storage({ origin: 'https://files.example.test:8443/below/' });
    await app.given.projectStorage(project, used);
    await app.given.storage({ origin: 'https://hidden.example.test' });
    // What a host name may contain would end the directive.
    const odd = await app.given.storage({ origin: 'https://odd.example.test;report-uri' });
    await app.given.projectStorage(project, odd);
    const drive = await app.given.storage({ type: 'CloudDrive' });
    await app.given.projectStorage(project, drive);
    expect(policyOf(await (await signedIn(app, member)).get('/'))).toBe(
      policyWith({ connect: ' https://files.example.test:8443' }),
    );
    expect(policyOf(await (await signedIn()).get('/'))).toBe(policyWith());

    const other = await startBeside(app, {
      CLOUD_DRIVE_UPLOAD_HOSTS: 'https://up.example.test, https://*.example.org:444',
    });
    try {
      expect(policyOf(await (await signedIn(other)).get('/'))).toContain(
        "connect-src 'self' https://up.example.test https://*.example.org:444; ",
      );
    } finally {
      await other.stop();
    }
  });
});

describe('a visitor', () => {
  test('is led to the sign-in from every address but the first, and then back', async () => {
    for (const address of ['/search?tab=files&q=%C3%A4', '/projects', '/notifications']) {
      const visitor = new Visitor(app);
      const refused = await visitor.get(address);
      expect([refused.status, refused.location]).toEqual([
        303,
        `/login?return_to=${encodeURIComponent(address)}`,
      ]);
      const form = await visitor.get(refused.location!);
      const action = /<form method="post" action="([^"]+)">/.exec(form.text)![1]!;
      const seen = await visitor.post(action.replaceAll('&amp;', '&'), {
        login: person.login,
        password: PASSWORD,
      });
      expect([seen.status, seen.location]).toEqual([303, address]);
      expect((await visitor.get(address)).status).toBe(200);
    }
  });

  test('gets the page at the first address, whatever the request accepts', async () => {
    const page = await new Visitor(app).get('/');
    expect([page.status, page.text.includes('<div id="page">'), policyOf(page)]).toEqual([
      200,
      true,
      policyWith(),
    ]);
    for (const accept of ['application/json', '*/*', 'text/plain'])
      expect((await app.get('/', undefined, { headers: { accept } })).status).toBe(200);
    const { hostname, port } = new URL(app.url);
    const answer = await ask(app, `GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    expect(answer.status).toBe(200);
    expect((await app.request('HEAD', '/')).status).toBe(200);
  });

  test('whose session has ended loses its cookie', async () => {
    const visitor = await signedIn();
    const { value, path } = visitor.cookies.get('moorage_session')!;
    await visitor.post('/logout', {});
    visitor.cookies.set('moorage_session', { value, path });
    expect((await visitor.get('/')).status).toBe(200);
    expect([...visitor.cookies.keys()]).toEqual(['moorage_device']);
  });
});

describe('the files of the application', () => {
  const files = async () => {
    const { text } = await app.get('/');
    return [...text.matchAll(/(?:src|href)="(\/assets\/web\/[^"]+)"/g)].map(([, path]) => path!);
  };

  test.each(['web', 'explorer', 'api-page'])(
    'of %s come with the licences of their packages, which may change',
    async (bundle) => {
      const answer = await app.get(`/assets/${bundle}/LICENCES.txt`);
      expect([
        answer.status,
        answer.headers.get('content-type'),
        answer.headers.get('cache-control'),
      ]).toEqual([200, 'text/plain; charset=utf-8', 'public, max-age=3600']);
      expect(answer.bytes.toString()).toContain('Permission is hereby granted, free of charge');
      expect((await app.get(`/assets/${bundle}/files.json`)).status).toBe(404);
    },
  );

  test('are kept for ever, and brotli is preferred', async () => {
    const paths = await files();
    expect(paths.length).toBeGreaterThanOrEqual(2);
    for (const path of paths) {
      const plain = await app.get(path, undefined, { headers: { 'accept-encoding': 'identity' } });
      for (const [accepted, encoding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip', 'gzip'],
        ['gzip, br;q=0', 'gzip'],
        ['identity', null],
      ] as const) {
        const answer = await app.get(path, undefined, { headers: { 'accept-encoding': accepted } });
        expect({
          status: answer.status,
          encoding: answer.headers.get('content-encoding'),
          cache: answer.headers.get('cache-control'),
          vary: answer.headers.get('vary'),
          sniff: answer.headers.get('x-content-type-options'),
          type: answer.headers.get('content-type'),
        }).toEqual({
          status: 200,
          encoding,
          cache: 'public, max-age=31536000, immutable',
          vary: 'Accept-Encoding',
          sniff: 'nosniff',
          type: path.endsWith('.css')
            ? 'text/css; charset=utf-8'
            : 'text/javascript; charset=utf-8',
        });
        // The client has decompressed the body.
        expect(answer.bytes.equals(plain.bytes)).toBe(true);
      }
      expect((await app.request('HEAD', path)).status).toBe(200);
    }
  });

  test('that are unknown, or outside of their folder, are 404', async () => {
    for (const path of [
      '/assets/web',
      '/assets/web/',
      '/assets/web/unknown-1a2b3c4d.js',
      '/assets/web/..%2Fetags.json',
      '/assets/web/%2e%2e/%2e%2e/package.json',
      '/assets/etags.json',
      '/assets/web.html',
    ])
      expect([path, (await app.get(path)).status]).toEqual([path, 404]);
  });

  test('that other pages share have a type, and are asked for again after an hour', async () => {
    for (const [path, type] of [
      ['/assets/pages.css', 'text/css; charset=utf-8'],
      ['/assets/icon.svg', 'image/svg+xml'],
      ['/assets/harbour.svg', 'image/svg+xml'],
      ['/assets/contours.svg', 'image/svg+xml'],
    ] as const) {
      const { status, headers } = await app.get(path);
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        type,
        'public, max-age=3600',
      ]);
      const again = await app.get(path, undefined, {
        headers: { 'if-none-match': headers.get('etag')! },
      });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });
});

describe('a session of the browser', () => {
  test('asks, uploads in both ways and signs out, as scripts of the page do', async () => {
    const project = await app.given.project();
    const writer = await signable(app);
    await app.given.membership(writer, project, ['view_wiki_pages', 'edit_wiki_pages']);
    const page = await app.given.wikiPage(project, writer);
    const visitor = await signedIn(app, writer);
    const cookie = visitor.header('/');
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };

    const asked = await app.request('POST', '/graphql', {
      headers,
      json: { query: '{ viewer { databaseId login } }' },
    });
    expect([asked.status, asked.body]).toEqual([
      200,
      { data: { viewer: { databaseId: writer.id, login: writer.login } } },
    ]);

    const rest = new FormData();
    rest.append('metadata', new Blob(['{"fileName":"a.txt"}'], { type: 'application/json' }));
    rest.append('file', new Blob(['one']), 'a.txt');
    const uploaded = await app.request('POST', page.attachments, { headers, body: rest });
    expect([uploaded.status, uploaded.body.fileName]).toEqual([200, 'a.txt']);

    const graph = new FormData();
    const query =
      'mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { fileName } } }';
    const variables = { input: { containerId: page.globalId, fileName: 'b.txt', file: null } };
    graph.append('operations', JSON.stringify({ query, variables }));
    graph.append('map', '{"0":["variables.input.file"]}');
    graph.append('0', new Blob(['two']), 'b.txt');
    const added = await app.request('POST', '/graphql', {
      headers: { ...headers, 'apollo-require-preflight': 'true' },
      body: graph,
    });
    expect([added.status, added.body]).toEqual([
      200,
      { data: { createAttachment: { attachment: { fileName: 'b.txt' } } } },
    ]);

    const out = await app.request('POST', '/logout', { headers });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/login']);
    const after = await app.request('POST', '/graphql', {
      headers: { ...headers, 'x-authentication-scheme': 'Session' },
      json: { query: '{ viewer { login } }' },
    });
    expect([after.status, after.headers.get('www-authenticate')]).toEqual([
      401,
      'Session realm="Moorage API"',
    ]);
  });
});

describe('the people of the demo', () => {
  let demo: App;
  beforeAll(async () => {
    demo = await startApp();
    await loadDemo(demo.running.services, { read: async () => ({}), write: async () => undefined });
  });
  afterAll(() => demo.stop());

  const buttons = (text: string) =>
    [...text.matchAll(/<button class="person" name="login" value="(\w+)">/g)].map(([, one]) => one);
  const demoForm = '<form class="people" method="post" action="/login/demo?return_to=%2Fwp%2F1">';

  test('sign in with a button, and come to the address that they wanted', async () => {
    for (const login of ['ada', 'mia', 'rob']) {
      const visitor = new Visitor(demo);
      const { text } = await visitor.get('/login?return_to=%2Fwp%2F1');
      expect([buttons(text), text.includes(demoForm)]).toEqual([['ada', 'mia', 'rob'], true]);
      const seen = await visitor.post('/login/demo?return_to=%2Fwp%2F1', { login });
      expect([seen.status, seen.location]).toEqual([303, '/wp/1']);
      const me = JSON.parse((await visitor.get('/api/v3/users/me')).text) as { login: string };
      expect(me.login).toBe(login);
    }
  });

  test('are not offered to other computers, through proxies or under other names', async () => {
    const { port } = new URL(demo.url);
    for (const [isOffered, headers] of [
      [true, { host: `localhost:${port}` }],
      [true, { host: `127.0.0.1:${port}` }],
      [true, { host: `[::1]:${port}` }],
      [false, { host: `rebound.example.test:${port}` }],
      [false, { host: `127.0.0.1.example.test:${port}` }],
      [false, { host: `localhost.example.test` }],
      [false, { 'x-forwarded-for': '127.0.0.1' }],
      [false, { 'x-forwarded-host': 'localhost' }],
      [false, { forwarded: 'for=127.0.0.1' }],
      [false, { via: '1.1 proxy' }],
      [false, { 'x-real-ip': '127.0.0.1' }],
    ] as const) {
      const lines = { host: `127.0.0.1:${port}`, connection: 'close', ...headers };
      const head = (request: string, more: { [name: string]: string } = {}) =>
        `${request} HTTP/1.1\r\n${Object.entries({ ...lines, ...more })
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')}\r\n`;
      const page = await ask(demo, head('GET /login'));
      expect([headers, buttons(page.text)]).toEqual([
        headers,
        isOffered ? ['ada', 'mia', 'rob'] : [],
      ]);
      const answer = await ask(
        demo,
        `${head('POST /login/demo', {
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': '9',
        })}login=ada`,
      );
      expect([headers, answer.status, 'set-cookie' in answer.headers]).toEqual([
        headers,
        isOffered ? 303 : 404,
        isOffered,
      ]);
    }
  });

  test('are not offered by a service with a public address, or on an address of a network', async () => {
    const elsewhere: { [name: string]: string }[] = [
      { BASE_URL: 'http://files.example.test' },
      { HOST: '0.0.0.0' },
      { NODE_ENV: 'production', BASE_URL: 'http://127.0.0.1' },
    ];
    for (const changes of elsewhere) {
      const other = await startBeside(demo, changes);
      try {
        const visitor = new Visitor(other);
        expect([changes, buttons((await visitor.get('/login')).text)]).toEqual([changes, []]);
        const refused = await visitor.post('/login/demo', { login: 'ada' });
        expect([changes, refused.status, visitor.lines]).toEqual([changes, 404, []]);
      } finally {
        await other.stop();
      }
    }
  });

  test('do not sign in for a form of another site, nor do others by their buttons', async () => {
    const foreign = await new Visitor(demo).post(
      '/login/demo',
      { login: 'ada' },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([403, []]);
    const someone = await demo.given.user();
    for (const login of [someone.login, 'anonymous', '']) {
      const { status, headers } = await new Visitor(demo).post('/login/demo', { login });
      expect([login, status, headers.getSetCookie()]).toEqual([login, 404, []]);
    }
  });

  test('are ordinary users once they have a password or lost the key of the demo', async () => {
    const { db } = demo.running.services;
    const { id } = (await db.read('users').where({ login: 'rob' }).first()) as { id: number };
    await db.write('users').where({ id }).update({ password_hash: 'any' });
    const mia = (await db.read('users').where({ login: 'mia' }).first()) as { id: number };
    await db.write('api_keys').where({ user_id: mia.id }).delete();
    expect(buttons((await new Visitor(demo).get('/login')).text)).toEqual(['ada']);
    for (const login of ['rob', 'mia'])
      expect((await new Visitor(demo).post('/login/demo', { login })).status).toBe(404);
  });

  test('do not exist where there is no demo', async () => {
    const visitor = new Visitor(app);
    expect(buttons((await visitor.get('/login')).text)).toEqual([]);
    expect((await visitor.post('/login/demo', { login: 'ada' })).status).toBe(404);
  });
});

test('WEB=false leaves the plain pages, and / leads to the explorer', async () => {
  const plain = await startBeside(app, { WEB: 'false' });
  try {
    const { status, text } = await plain.get('/');
    expect([
      status,
      text.includes('<meta http-equiv="refresh" content="0; url=/graphql">'),
    ]).toEqual([200, true]);
    const visitor = await signedIn(plain);
    for (const [path, expected] of [
      ['/recent', 404],
      ['/projects', 404],
      ['/wp/99999', 404],
    ] as const)
      expect([path, (await visitor.get(path)).status]).toEqual([path, expected]);
    const wrong = await visitor.get('/elsewhere');
    expect([
      wrong.status,
      wrong.text.includes('<h1>There is nothing at this address</h1>'),
    ]).toEqual([404, true]);
  } finally {
    await plain.stop();
  }
});

describeS3('with an object store', () => {
  test('the page shows pictures of the store and sends files there, at the address for clients', async () => {
    const bucket = await freshBucket();
    const { port } = new URL(bucket.endpoint);
    const store = await startApp(s3Environment(bucket));
    try {
      expect(policyOf(await store.get('/'))).toBe(policyWith({ media: ` ${bucket.endpoint}` }));
      for (const [style, origin] of [
        ['true', `http://s3.localhost:${port}`],
        ['false', `http://${bucket.bucket}.s3.localhost:${port}`],
      ] as const) {
        const outside = await startBeside(store, {
          S3_PUBLIC_ENDPOINT: `http://s3.localhost:${port}/`,
          S3_FORCE_PATH_STYLE: style,
        });
        try {
          expect(policyOf(await outside.get('/'))).toBe(policyWith({ media: ` ${origin}` }));
        } finally {
          await outside.stop();
        }
      }
    } finally {
      await store.stop();
    }
  });
});
