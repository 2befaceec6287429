/** The explorer and the API page: their headers, and how their scripts and styles are sent. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { startApp, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

const PASSWORD = 'correct horse battery';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** The client of the other tests decodes answers. Here the encoded bytes matter. */
const fetchRaw = (path: string, headers: { [name: string]: string }, method = 'GET') =>
  new Promise<{ status: number; headers: { [name: string]: unknown }; bytes: Buffer }>(
    (resolve, reject) => {
      request(app.url + path, { method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => void chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            bytes: Buffer.concat(chunks),
          }),
        );
      })
        .on('error', reject)
        .end();
    },
  );

const assetsOf = async (path: string): Promise<string[]> => {
  const { text } = await new Visitor(app).get(path);
  return [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+-[A-Z0-9]+\.(?:js|css))"/g)].map(
    ([, address]) => address ?? '',
  );
};

describe.each(['/graphql', '/api/docs'])('the page %s', (path) => {
  test('has a strict policy with a new nonce each time, and is not stored', async () => {
    const visitor = new Visitor(app);
    const nonces = new Set<string>();
    for (let visit = 0; visit < 2; visit += 1) {
      const { status, headers, text } = await visitor.get(path);
      expect(status).toBe(200);
      const [, nonce = ''] = /<meta property="csp-nonce" nonce="([^"]{24})">/.exec(text) ?? [];
      nonces.add(nonce);
      expect({
        policy: headers.get('content-security-policy'),
        cache: headers.get('cache-control'),
        sniffing: headers.get('x-content-type-options'),
        referrer: headers.get('referrer-policy'),
        type: headers.get('content-type'),
      }).toEqual({
        policy:
          `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; ` +
          "img-src 'self' data:; connect-src 'self'; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        cache: 'no-store',
        sniffing: 'nosniff',
        referrer: 'no-referrer',
        type: 'text/html; charset=utf-8',
      });
    }
    expect(nonces.size).toBe(2);
  });

  test('names the person who is signed in, and else leads to the sign-in page', async () => {
    const person = await app.given.user({
      firstName: 'Ida',
      lastName: '<Ott>',
      password: PASSWORD,
    });
    const visitor = new Visitor(app);
    expect((await visitor.get(path)).text).toContain(
      `<a class="person" href="/login?return_to=${encodeURIComponent(path)}">Sign in</a>`,
    );
    await visitor.signIn(person.login, PASSWORD);
    expect((await visitor.get(path)).text).toContain(
      '<a class="person" href="/login">Ida &lt;Ott&gt;</a>',
    );
  });

  test('has one script and one style, compressed ahead and kept by browsers', async () => {
    const assets = await assetsOf(path);
    expect(assets.map((address) => address.split('.').pop()).sort()).toEqual(['css', 'js']);
    for (const address of assets) {
      const plain = await fetchRaw(address, {});
      expect(plain.status).toBe(200);
      expect(plain.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': address.endsWith('.js')
          ? 'text/javascript; charset=utf-8'
          : 'text/css; charset=utf-8',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
      });
      expect(plain.headers['content-encoding']).toBeUndefined();
      const brotli = await fetchRaw(address, { 'accept-encoding': 'gzip, deflate, br' });
      expect(brotli.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
      const gzip = await fetchRaw(address, { 'accept-encoding': 'gzip, br;q=0' });
      expect(gzip.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
      const head = await fetchRaw(address, { 'accept-encoding': 'br' }, 'HEAD');
      expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
        200,
        String(brotli.bytes.length),
        0,
      ]);
    }
  });

  test('serves nothing else from the folder of its assets', async () => {
    const [address = ''] = await assetsOf(path);
    const folder = address.slice(0, address.lastIndexOf('/'));
    for (const other of [
      'files.json',
      'x.js',
      `${address.split('/').pop()}.br`,
      '..%2F..%2Fpackage.json',
    ])
      expect([other, (await app.get(`${folder}/${other}`)).status]).toEqual([other, 404]);
  });
});

test('the explorer takes less than 500 kB, the API page too', async () => {
  for (const path of ['/graphql', '/api/docs']) {
    let bytes = 0;
    for (const address of await assetsOf(path))
      bytes += (await fetchRaw(address, { 'accept-encoding': 'br' })).bytes.length;
    expect(bytes).toBeLessThan(500_000);
  }
});

test('the icon of the pages is a picture', async () => {
  const { status, headers, text } = await app.get('/assets/icon.svg');
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(text).toMatch(/^<svg /);
});
