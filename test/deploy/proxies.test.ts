/** The configurations of nginx and Caddy, in the real servers, in front of the real program. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { signable, PASSWORD } from '../api/auth/support/applications.js';
import { root } from '../packaging/checkout.js';
import { startApp, type App } from '../support/app.js';
import { Command, emptyFolder, until } from '../support/cli.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { freePort } from '../support/postgres.js';
import { describeWith, findProgram } from '../support/programs.js';
import { ATTACHMENT_CHANGED } from '../support/stream.js';

const BOUNDARY = 'a-boundary';
const MEBIBYTE = 1024 * 1024;

interface Site {
  port: number;
  folder: string;
  /** The certificate that a client must trust. */
  certificate: () => string;
  /** The command of the proxy. */
  by: string[];
  environment?: { [name: string]: string };
}

/** A text of `deploy` with the places of the test. Each text to replace must be there. */
function adapted(file: string, replacements: { [text: string]: string }): string {
  let content = readFileSync(join(root, 'deploy', file), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    expect(content).toContain(from);
    content = content.replaceAll(from, to);
  }
  return content;
}

async function nginx(port: number, upstream: string): Promise<Site> {
  const folder = emptyFolder();
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${certificate}`.split(
      ' ',
    ),
    { stdio: 'pipe' },
  );
  const letsencrypt = '/etc/letsencrypt/live/files.example.org';
  writeFileSync(
    join(folder, 'moorage.conf'),
    adapted('nginx.conf', {
      'listen 443': `listen 127.0.0.1:${port}`,
      'listen 80': `listen 127.0.0.1:${await freePort()}`,
      '  listen [::]:443 ssl http2;\n': '',
      '  listen [::]:80;\n': '',
      '127.0.0.1:8080': upstream,
      [`${letsencrypt}/fullchain.pem`]: certificate,
      [`${letsencrypt}/privkey.pem`]: key,
      'server_name files.example.org': 'server_name localhost',
    }),
  );
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'main.conf'),
    `${userInfo().uid === 0 ? `user ${userInfo().username};` : ''}
daemon off;
pid ${join(folder, 'pid')};
error_log stderr;
events {}
http {
  access_log off;
${places.map((name) => `  ${name}_temp_path ${join(folder, name)};`).join('\n')}
  include ${join(folder, 'moorage.conf')};
}
`,
  );
  return {
    port,
    folder,
    certificate: () => readFileSync(certificate, 'utf8'),
    by: [findProgram('nginx')!, '-p', folder, '-e', 'stderr', '-c', join(folder, 'main.conf')],
  };
}

async function caddy(port: number, upstream: string): Promise<Site> {
  const folder = emptyFolder();
  // Caddy makes the certificate of `localhost` itself, as it gets others from an authority.
  writeFileSync(
    join(folder, 'Caddyfile'),
    `{
	admin off
	skip_install_trust
	default_bind 127.0.0.1
	http_port ${await freePort()}
	https_port ${port}
}
import ${join(root, 'deploy/Caddyfile')}
`,
  );
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  return {
    port,
    folder,
    certificate: () => readFileSync(authority, 'utf8'),
    by: [findProgram('caddy')!, 'run', '--config', join(folder, 'Caddyfile')],
    environment: {
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      DOMAIN: 'localhost',
      UPSTREAM: upstream,
    },
  };
}

for (const [name, configure] of Object.entries({ nginx, caddy }))
  describeWith([name], 'REQUIRE_PROXIES', `behind ${name}`, () => {
    let app: App;
    let site: Site;
    let proxy: Command;
    let author: Person;
    let container: ContainerHandle;
    let address: string;

    beforeAll(async () => {
      const port = await freePort();
      address = `https://localhost:${port}`;
      app = await startApp({ NODE_ENV: 'production', BASE_URL: address, TRUST_PROXY: '1' });
      site = await configure(port, new URL(app.running.address).host);
      proxy = new Command([], site.environment, { cwd: site.folder, by: site.by });
      await until(async () => {
        if (proxy.ended) throw new Error(`${name} ended: ${proxy.stderr}`);
        return (await answer('GET', '/health/live').catch(() => undefined))?.status === 200;
      }, `${name} answers`);
      const project = await app.given.project();
      author = await app.given.member(project, [
        'view_work_packages',
        'edit_work_packages',
        'add_work_package_attachments',
      ]);
      container = await app.given.workPackage(project, author);
    });
    afterAll(async () => {
      // Killed, nginx would leave its workers.
      proxy?.signal('SIGTERM');
      await proxy?.outcome;
      await app?.stop();
      if (site) rmSync(site.folder, { recursive: true, force: true });
    });

    const bearer = () => ({ authorization: `Bearer ${author.key}` });
    const form = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const head = () =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="metadata"\r\nContent-Type: application/json\r\n\r\n{"fileName":"film.bin"}\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n`;
    const TAIL = `\r\n--${BOUNDARY}--\r\n`;

    /** A request to the proxy, whose body the caller sends. */
    const send = (
      method: string,
      path: string,
      headers: OutgoingHttpHeaders = {},
      options: RequestOptions = {},
    ) =>
      request(address + path, {
        method,
        headers,
        agent: false,
        ca: site.certificate(),
        ...options,
      });
    function arrival(sent: ReturnType<typeof send>): Promise<IncomingMessage> {
      const arrived = new Promise<IncomingMessage>((resolve, reject) => {
        sent.once('response', resolve).on('error', reject);
      });
      // A test that has failed does not wait for it.
      arrived.catch(() => undefined);
      return arrived;
    }
    async function answer(
      method: string,
      path: string,
      headers: OutgoingHttpHeaders = {},
      body: string | Buffer = '',
      options: RequestOptions = {},
    ) {
      const sent = send(method, path, headers, options);
      const arrived = arrival(sent);
      sent.end(body);
      const response = await arrived;
      return {
        status: response.statusCode,
        headers: response.headers,
        text: await text(response),
      };
    }
    const upload = (content: Buffer) =>
      answer(
        'POST',
        container.attachments,
        { ...bearer(), ...form },
        Buffer.concat([Buffer.from(head()), content, Buffer.from(TAIL)]),
      );

    test('a resumable upload goes on after a lost connection', async () => {
      const content = Buffer.alloc(3 * MEBIBYTE, 'film');
      const tus = { ...bearer(), 'tus-resumable': '1.0.0' };
      const begun = await answer('POST', '/uploads', {
        ...tus,
        'upload-length': content.length,
        'upload-metadata': `filename ${Buffer.from('film.bin').toString('base64')}`,
      });
      expect(begun.status).toBe(201);
      const { href, origin } = new URL(begun.headers.location!, `${address}/uploads`);
      expect(origin).toBe(address);
      const path = href.slice(origin.length);
      const patch = (from: number) => ({
        ...tus,
        'upload-offset': from,
        'content-type': 'application/offset+octet-stream',
        'content-length': content.length - from,
      });
      const broken = send('PATCH', path, patch(0));
      broken.on('error', () => undefined);
      broken.write(content.subarray(0, 2 * MEBIBYTE));
      const { staging_key: key } = await app.running.services.db
        .read('attachments')
        .where('id', Number(path.split('/').at(-1)))
        .first();
      const staged = join(app.folder, 'blobs', 'kept', 'st', key);
      await until(() => existsSync(staged) && statSync(staged).size > 0, 'bytes have arrived');
      broken.destroy();
      const place = await answer('HEAD', path, tus);
      const from = Number(place.headers['upload-offset']);
      expect(from).toBeGreaterThan(0);
      expect(from).toBeLessThanOrEqual(2 * MEBIBYTE);
      const { status, headers } = await answer('PATCH', path, patch(from), content.subarray(from));
      expect([status, headers['upload-offset']]).toEqual([204, String(content.length)]);
    });

    test('a large file arrives, and a range of it comes back', async () => {
      const content = Buffer.alloc(4 * MEBIBYTE, 'The length of this pattern divides no slice. ');
      const created = await upload(content);
      expect([created.status, JSON.parse(created.text)]).toEqual([
        200,
        expect.objectContaining({ _type: 'Attachment', fileSize: content.length }),
      ]);
      const { id } = JSON.parse(created.text) as { id: number };
      const range = await answer('GET', `/api/v3/attachments/${id}/content`, {
        ...bearer(),
        range: 'bytes=1000000-1000099',
      });
      expect([range.status, range.headers['content-range'], range.text]).toEqual([
        206,
        `bytes 1000000-1000099/${content.length}`,
        content.subarray(1_000_000, 1_000_100).toString(),
      ]);
    });

    test('the program gets the beginning of a file before its client has sent the rest', async () => {
      const sent = send('POST', container.attachments, { ...bearer(), ...form });
      const arrived = arrival(sent);
      sent.write(`${head()}the beginning, `);
      const incoming = join(app.folder, 'blobs/incoming');
      await until(
        () =>
          existsSync(incoming) &&
          readdirSync(incoming, { recursive: true, encoding: 'utf8' }).some((file) =>
            statSync(join(incoming, file)).isFile(),
          ),
        'the upload has begun',
      );
      sent.end(`the end${TAIL}`);
      const response = await arrived;
      expect([response.statusCode, JSON.parse(await text(response))]).toEqual([
        200,
        expect.objectContaining({ fileSize: 'the beginning, the end'.length }),
      ]);
    });

    const TOO_LARGE = expect.objectContaining({
      _type: 'Error',
      errorIdentifier: 'urn:service-org:api:v3:errors:PropertyConstraintViolation',
      message: 'File is too large (maximum size is 5242880 Bytes).',
    });

    test('a file above the limit gets the answer of the program', async () => {
      const { status, text: body } = await upload(Buffer.alloc(12 * MEBIBYTE));
      expect([status, JSON.parse(body)]).toEqual([422, TOO_LARGE]);
    });

    test('uploads over HTTP/2 get the same answers', async () => {
      for (const [size, expected] of [
        [4 * MEBIBYTE, [200, expect.objectContaining({ fileSize: 4 * MEBIBYTE })]],
        [12 * MEBIBYTE, [422, TOO_LARGE]],
      ] as const) {
        const file = join(site.folder, 'file.bin');
        writeFileSync(file, Buffer.alloc(size));
        writeFileSync(join(site.folder, 'ca.pem'), site.certificate());
        const options = [
          'silent',
          'http2',
          `cacert = ${join(site.folder, 'ca.pem')}`,
          `header = "Authorization: Bearer ${author.key}"`,
          String.raw`form = "metadata={\"fileName\":\"film.bin\"};type=application/json"`,
          `form = "file=@${file}"`,
          String.raw`write-out = "\n%{http_version} %{http_code}"`,
          `url = ${address}${container.attachments}`,
        ];
        const settings = join(site.folder, 'curl');
        writeFileSync(settings, options.join('\n'));
        const { stdout } = await new Command(['--config', settings], {}, { by: ['curl'] }).outcome;
        const [body, end] = stdout.split('\n');
        const [version, status] = end!.split(' ');
        expect([version, Number(status), JSON.parse(body!)]).toEqual(['2', ...expected]);
      }
    });

    test('an event of a stream arrives while the stream is open', async () => {
      const sent = send('POST', '/graphql/stream', {
        ...bearer(),
        accept: 'text/event-stream',
        'content-type': 'application/json',
      });
      const arrived = arrival(sent);
      sent.end(
        JSON.stringify({
          query: ATTACHMENT_CHANGED,
          variables: { containerId: container.globalId },
        }),
      );
      const response = await arrived;
      expect([response.statusCode, response.headers['content-type']]).toEqual([
        200,
        expect.stringMatching(/^text\/event-stream/),
      ]);
      let seen = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        seen += part;
      });
      const { text: created } = await upload(Buffer.from('news'));
      await until(
        () => seen.includes(`"databaseId":${(JSON.parse(created) as { id: number }).id},`),
        'the event',
      );
      expect(response.complete).toBe(false);
      sent.destroy();
    });

    test('headers of 15 KiB pass', async () => {
      const cookie = `other=${'x'.repeat(15 * 1024 - 500)}`;
      expect((await answer('GET', '/health/live', { cookie })).status).toBe(200);
    });

    test('addresses and cookies are those of the public host', async () => {
      const { text: created } = await upload(Buffer.from('addressed'));
      const query =
        'query ($id: ID!) { attachment(id: $id) { contentAddress(disposition: INLINE) { href } } }';
      const { text: graph } = await answer(
        'POST',
        '/graphql',
        { ...bearer(), 'content-type': 'application/json', 'x-forwarded-host': 'evil.example' },
        JSON.stringify({ query, variables: { id: String(JSON.parse(created).id) } }),
      );
      const { href } = JSON.parse(graph).data.attachment.contentAddress;
      expect(href.slice(0, address.length + 1)).toBe(`${address}/`);
      const followed = await answer('GET', href.slice(address.length));
      expect([followed.status, followed.text]).toEqual([200, 'addressed']);

      const person = await signable(app);
      const cookies = (await signIn(person.login, PASSWORD)).headers['set-cookie']!;
      expect(cookies.some((line) => line.startsWith('__Host-moorage_session='))).toBe(true);
      expect(cookies.every((line) => /; secure(;|$)/i.test(line))).toBe(true);
    });

    const signIn = (
      login: string,
      password: string,
      headers: OutgoingHttpHeaders = {},
      options: RequestOptions = {},
    ) =>
      answer(
        'POST',
        '/login',
        {
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        new URLSearchParams({ login, password }).toString(),
        options,
      );

    test('clients are told apart by their addresses, not by what they write into X-Forwarded-For', async () => {
      const victim = await signable(app);
      const from = { localAddress: '127.0.7.1' };
      for (let index = 0; index < 10; index += 1) {
        const forged = { 'x-forwarded-for': `192.0.${index}.1`, forwarded: `for=192.0.${index}.1` };
        expect((await signIn(victim.login, 'typo', forged, from)).status).toBe(422);
      }
      const forged = { 'x-forwarded-for': '192.0.2.77' };
      expect((await signIn(victim.login, PASSWORD, forged, from)).status).toBe(429);
      expect((await signIn(victim.login, PASSWORD)).status).toBe(303);
    });
  });
