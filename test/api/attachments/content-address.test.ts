/** Addresses of contents that need no credentials: for pictures, links and downloads of pages. */
import { startApp, type App } from '../../support/app.js';
import { errorBody, notFound } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';
import { describeS3, freshBucket, s3Environment } from '../../support/rgw.js';

const OVER = errorBody('MissingPermission', 'The address of this file is over. Ask for a new one.');
const ORIGIN = 'https://pages.example.org';
const ADDRESS = `query ($id: ID!, $disposition: ContentDisposition! = INLINE) {
  attachment(id: $id) { contentAddress(disposition: $disposition) { href expiresAt } }
}`;

let app: App;
let project: { id: number };
let author: Person;
let container: ContainerHandle;

const start = async (environment: { [name: string]: string } = {}) => {
  app = await startApp({ CORS_ORIGINS: ORIGIN, ...environment });
  project = await app.given.project();
  author = await member();
  container = await app.given.workPackage(project, author);
};
const member = () =>
  app.given.member(project, ['view_work_packages', 'edit_work_packages', 'delete_attachments']);
const stored = (more: object = {}) =>
  app.given.attachment({ container, author, content: '0123456789', ...more });

/** @returns null if the file may not be downloaded */
async function addressOf(
  { id }: { id: number },
  { as = author, disposition = 'INLINE' }: { as?: Person; disposition?: string } = {},
): Promise<string | null> {
  const { data, errors } = await app.graphql(ADDRESS, { id: String(id), disposition }, as);
  expect(errors).toBeUndefined();
  return data.attachment.contentAddress?.href ?? null;
}

/** As a browser that follows an address: without credentials. */
const follow = (href: string | null, headers: { [name: string]: string } = {}, method = 'GET') =>
  app.request(method, href!.slice(app.url.length), { headers });

describe('an address of a content', () => {
  beforeAll(() => start());
  afterAll(() => app.stop());
  const { now } = Date;
  afterEach(() => {
    app.running.services.clock = () => new Date(now());
  });

  test('works without credentials for five minutes, for this file only', async () => {
    const [row, other] = [await stored(), await stored()];
    const before = Date.now();
    const { data } = await app.graphql(ADDRESS, { id: String(row.id) }, author);
    const { href, expiresAt } = data.attachment.contentAddress;
    expect(Math.round((Date.parse(expiresAt) - before) / 60_000)).toBe(5);
    const { status, text } = await follow(href);
    expect([status, text]).toEqual([200, '0123456789']);
    const access = new URL(href).searchParams.get('access')!;
    for (const changed of [
      href.replace(`/${row.id}/`, `/${other.id}/`),
      href.replace(access, `${access.slice(0, -4)}AAAA`),
      href.replace(access, ''),
      `${href.slice(0, href.indexOf('/attachments/'))}/users/me?access=${access}`,
    ]) {
      const answer = await follow(changed);
      expect([changed, answer.status]).toEqual([changed, changed.includes('/me?') ? 400 : 403]);
      if (answer.status === 403) expect(answer.body).toEqual(OVER);
    }
    app.running.services.clock = () => new Date(Date.now() + 300_001);
    const late = await follow(href);
    expect([late.status, late.body]).toEqual([403, OVER]);
  });

  test('an address of an archive opens no file, and that of a file no archive', async () => {
    const row = await stored();
    const { data } = await app.graphql(
      'query ($id: ID!) { container(id: $id) { attachmentsArchive { href } } }',
      { id: container.globalId },
      author,
    );
    const archive = data.container.attachmentsArchive.href as string;
    const file = (await addressOf(row))!;
    const accessIn = (href: string) => new URL(href).searchParams.get('access')!;
    const crossed = [
      file.replace(accessIn(file), accessIn(archive)),
      archive.replace(accessIn(archive), accessIn(file)),
    ];
    const statuses = [];
    for (const href of crossed) statuses.push((await follow(href)).status);
    expect(statuses).toEqual([403, 403]);
  });

  test('answers as an ordinary download does: headers, ranges, conditions and HEAD', async () => {
    const row = await stored({ fileName: 'plan ä.html', contentType: 'text/html' });
    const href = await addressOf(row);
    const path = `/api/v3/attachments/${row.id}/content`;
    const varying = ['date', 'x-request-id', 'referrer-policy'];
    const seen = ({ status, headers, text }: Awaited<ReturnType<typeof follow>>) => [
      status,
      Object.fromEntries([...headers].filter(([name]) => !varying.includes(name))),
      text,
    ];
    const etag = (await app.get(path, author)).headers.get('etag')!;
    for (const [method, headers] of [
      ['GET', {}],
      ['GET', { range: 'bytes=2-4' }],
      ['GET', { range: 'bytes=20-' }],
      ['GET', { 'if-none-match': etag }],
      ['GET', { 'if-match': '"other"' }],
      ['HEAD', {}],
    ] as const) {
      const ordinary = await app.request(method, path, { as: author, headers });
      const addressed = await follow(href, headers, method);
      expect(seen(addressed)).toEqual(seen(ordinary));
      expect(addressed.headers.get('referrer-policy')).toBe('no-referrer');
    }
    const { headers } = await follow(href);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
  });

  test('saves the file if it is asked for that', async () => {
    const row = await stored({ fileName: 'a.pdf', contentType: 'application/pdf' });
    const dispositions = [];
    for (const disposition of ['INLINE', 'ATTACHMENT'])
      dispositions.push(
        (await follow(await addressOf(row, { disposition }))).headers.get('content-disposition'),
      );
    expect(dispositions).toEqual(['inline; filename="a.pdf"', 'attachment; filename="a.pdf"']);
  });

  test('has the rights that its user has when it is followed', async () => {
    const [row, hidden] = [await stored(), await stored()];
    const [leaver, locked] = [await member(), await member()];
    const hrefs = [
      await addressOf(row, { as: leaver }),
      await addressOf(row, { as: locked }),
      await addressOf(hidden),
    ];
    const { db, forgetIdentities } = app.running.services;
    await db.write('memberships').where({ user_id: leaver.id }).del();
    await db.write('users').where({ id: locked.id }).update({ status: 'locked' });
    await db.write('attachments').where({ id: hidden.id }).update({ status: 'quarantined' });
    forgetIdentities();
    const answers = [];
    for (const href of hrefs) {
      const { status, body } = await follow(href);
      answers.push([status, body]);
    }
    expect(answers).toEqual([
      [404, notFound],
      [403, OVER],
      [
        403,
        errorBody(
          'MissingPermission',
          'The file is quarantined because the virus scan found something in it.',
        ),
      ],
    ]);
  });

  test('is null for a file that may not be downloaded', async () => {
    const addresses = [];
    for (const status of ['quarantined', 'prepared'])
      addresses.push(await addressOf(await stored({ status })));
    expect(addresses).toEqual([null, null]);
  });

  test('works beside a session that has ended, and a page of an allowed origin can read it', async () => {
    const href = await addressOf(await stored());
    const cookie = `${app.running.services.sessions.cookieName}=ended`;
    const { status, text, headers } = await follow(href, { cookie, origin: ORIGIN });
    expect([status, text]).toEqual([200, '0123456789']);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-expose-headers')).toContain('Content-Disposition');
    const stranger = await follow(href, { origin: 'https://elsewhere.example.org' });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('is in no line of the log', async () => {
    const href = (await addressOf(await stored()))!;
    const access = new URL(href).searchParams.get('access')!;
    await follow(href);
    await follow(href.replace('/content', '/nothing'));
    await follow(`${href}&unknown=1`);
    await follow(href, { range: 'bytes=20-' });
    expect(app.logLines.length).toBeGreaterThan(3);
    expect(app.logLines.filter((line) => line.includes(access))).toEqual([]);
  });
});

describe('of a visitor who is not signed in', () => {
  beforeAll(() => start());
  afterAll(() => app.stop());

  test('it works in a public project', async () => {
    const open = await app.given.project({ isPublic: true });
    await app.given.role(['view_work_packages'], 'Anonymous');
    const row = await app.given.attachment({
      container: await app.given.workPackage(open, author),
      author,
      content: 'for everybody',
    });
    const { data } = await app.graphql(ADDRESS, { id: String(row.id) });
    const { status, text } = await follow(data.attachment.contentAddress.href);
    expect([status, text]).toEqual([200, 'for everybody']);
  });
});

describeS3('of a file in an object store', () => {
  beforeAll(async () => start(s3Environment(await freshBucket())));
  afterAll(() => app?.stop());

  test('it is that of the store, and saves the file if it is asked for that', async () => {
    const row = await stored({ fileName: 'a.pdf', contentType: 'application/pdf' });
    const seen = [];
    for (const disposition of ['INLINE', 'ATTACHMENT']) {
      const href = (await addressOf(row, { disposition }))!;
      expect(href).toContain('X-Amz-Signature=');
      const answer = await fetch(href);
      seen.push([await answer.text(), answer.headers.get('content-disposition')]);
    }
    expect(seen).toEqual([
      ['0123456789', 'inline; filename="a.pdf"'],
      ['0123456789', 'attachment; filename="a.pdf"'],
    ]);
  });
});
