/** Many files of a container as one ZIP archive. */
import { startApp, type Answer, type App } from '../../support/app.js';
import { errorBody, notFound } from '../../support/expected.js';
import { kinds, type ContainerHandle, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';
import { describeS3, freshBucket, s3Environment } from '../../support/rgw.js';
import { unzipped } from '../../support/zip.js';

const permissions = [
  'view_work_packages',
  'edit_work_packages',
  'view_meetings',
  'view_messages',
  'view_wiki_pages',
  'add_work_package_comments',
];
const MISSING = 'Missing files.txt';
const missing = (...lines: string[]) =>
  `These files are not in the archive:\n\n${lines.map((line) => `${line}\n`).join('')}`;
const OVER = errorBody(
  'MissingPermission',
  'The address of this archive is over. Ask for a new one.',
);
const ADDRESS = `query ($id: ID!, $ids: [ID!]) {
  container(id: $id) { attachmentsArchive(ids: $ids) { href expiresAt } }
}`;

let app: App;
let author: Person;
let stranger: Person;
let project: { id: number; name: string };
let container: ContainerHandle;

const start = async (environment: { [name: string]: string } = {}) => {
  app = await startApp(environment);
  project = await app.given.project();
  author = await app.given.member(project, permissions);
  stranger = await app.given.user();
};
const stored = (fileName: string, content: string, more: object = {}) =>
  app.given.attachment({
    container,
    author,
    fileName,
    contentType: 'text/plain',
    content,
    ...more,
  });
const archiveOf = (of = container, query = '') =>
  app.get(`${of.attachments}/archive${query}`, author);
const filesOf = async ({ status, bytes }: Answer) => [status, await unzipped(bytes)];
async function addressOf(ids?: readonly number[], as = author): Promise<string> {
  const { data, errors } = await app.graphql(
    ADDRESS,
    { id: container.globalId, ids: ids?.map(String) },
    as,
  );
  expect(errors).toBeUndefined();
  return data.container.attachmentsArchive.href as string;
}
/** As a browser that follows an address: without credentials. */
const follow = (href: string) => app.get(href.slice(app.url.length));

describe('an archive', () => {
  beforeAll(() => start());
  afterAll(() => app.stop());
  beforeEach(async () => {
    container = await app.given.workPackage(project, author, 'Harbour: plans');
  });

  test('has all files with their names, contents and dates, and saves under the name of the container', async () => {
    await stored('Grundriß 見.txt', 'first');
    await stored('empty.txt', '');
    const answer = await archiveOf();
    expect(await filesOf(answer)).toEqual([
      200,
      [
        ['Grundriß 見.txt', 'first'],
        ['empty.txt', ''],
      ],
    ]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="Harbour: plans.zip"',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  test.each(kinds)('can be made of the files of a container of the kind %s', async (kind) => {
    container = await app.given.container(kind, project, author);
    await stored('a.txt', kind);
    expect(await filesOf(await archiveOf())).toEqual([200, [['a.txt', kind]]]);
    expect(await filesOf(await follow(await addressOf()))).toEqual([200, [['a.txt', kind]]]);
  });

  test('has only the files that were chosen', async () => {
    await stored('a.txt', 'a');
    const b = await stored('b.txt', 'b');
    const c = await stored('c.txt', 'c');
    const chosen = [
      ['b.txt', 'b'],
      ['c.txt', 'c'],
    ];
    expect(await filesOf(await archiveOf(container, `?ids=${c.id},${b.id}`))).toEqual([
      200,
      chosen,
    ]);
    expect(await filesOf(await follow(await addressOf([c.id, b.id])))).toEqual([200, chosen]);
  });

  test('gives each file another name that every system can store', async () => {
    const names = [
      'plan.txt',
      'Plan.txt',
      'plan (2).txt',
      'Pru\u0308f',
      'Pr\u00fcf',
      'a:b?.txt',
      '..',
    ];
    for (const name of names) await stored(name, name);
    const answer = await archiveOf();
    expect(await filesOf(answer)).toEqual([
      200,
      [
        ['plan.txt', 'plan.txt'],
        ['Plan (2).txt', 'Plan.txt'],
        ['plan (2) (2).txt', 'plan (2).txt'],
        ['Pru\u0308f', 'Pru\u0308f'],
        ['Pr\u00fcf (2)', 'Pr\u00fcf'],
        ['a_b_.txt', 'a:b?.txt'],
        ['_', '..'],
      ],
    ]);
  });

  test('says in a text file what is in quarantine, lost, elsewhere, prepared or deleted', async () => {
    await stored('good.txt', 'good');
    await stored('virus.txt', 'bad', { status: 'quarantined' });
    const lost = await stored('lost.txt', 'lost');
    await app.running.services.blobs.remove(lost.blobKey);
    await stored('prepared.txt', '', { status: 'prepared' });
    const whole = [
      'virus.txt: The file is quarantined because the virus scan found something in it.',
      'lost.txt: The file is missing from the file storage.',
    ];
    expect(await filesOf(await archiveOf())).toEqual([
      200,
      [
        ['good.txt', 'good'],
        [MISSING, missing(...whole)],
      ],
    ]);
    const other = await app.given.workPackage(project, author);
    const elsewhere = await app.given.attachment({ container: other, author, content: 'x' });
    const ids = `?ids=${lost.id},${elsewhere.id},2147483647`;
    expect(await filesOf(await archiveOf(container, ids))).toEqual([
      200,
      [
        [
          MISSING,
          missing(
            whole[1]!,
            `Attachment ${elsewhere.id}: It is not here any more.`,
            'Attachment 2147483647: It is not here any more.',
          ),
        ],
      ],
    ]);
  });

  test('of a container that is hidden or missing is 404, and HEAD has no body', async () => {
    await stored('a.txt', 'a');
    for (const person of [stranger, undefined]) {
      const { status, body } = await app.get(`${container.attachments}/archive`, person);
      expect([status, body]).toEqual([404, notFound]);
    }
    const { status, body } = await app.get(
      '/api/v3/work_packages/2147483647/attachments/archive',
      author,
    );
    expect([status, body]).toEqual([404, notFound]);
    const head = await app.request('HEAD', `${container.attachments}/archive`, { as: author });
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
      200,
      'application/zip',
      '',
    ]);
  });

  test('refuses ids that are none, and more than 1,000', async () => {
    const none = errorBody('InvalidQuery', 'An id of an attachment is invalid.', 'ids');
    const many = errorBody(
      'InvalidQuery',
      'An archive takes 1 to 1,000 ids, or no `ids` for all files.',
      'ids',
    );
    for (const [ids, expected] of [
      ['', none],
      ['1,x', none],
      ['-1', none],
      ['1'.padEnd(2001, ',1'), many],
    ] as const) {
      const { status, body } = await archiveOf(container, `?ids=${ids}`);
      expect([ids, status, body]).toEqual([ids, 400, expected]);
    }
    const ofGraph = async (ids: string[]) =>
      (await app.graphql(ADDRESS, { id: container.globalId, ids }, author)).errors?.map(
        ({ message, extensions: { code } }) => [code, message],
      );
    expect(await ofGraph(['x'])).toEqual([['INVALID_QUERY', none.message]]);
    expect(await ofGraph([])).toEqual([['INVALID_QUERY', many.message]]);
    expect(await ofGraph(Array<string>(1_001).fill('1'))).toEqual([
      ['INVALID_QUERY', expect.stringMatching(/^The document has more than 1,000 ids in lists/)],
    ]);
  });

  describe('the address', () => {
    test('works without credentials for five minutes, for these files only', async () => {
      const a = await stored('a.txt', 'a');
      const b = await stored('b.txt', 'b');
      const href = await addressOf([a.id]);
      expect(await filesOf(await follow(href))).toEqual([200, [['a.txt', 'a']]]);
      const access = new URL(href).searchParams.get('access')!;
      for (const changed of [
        href.replace(`ids=${a.id}`, `ids=${b.id}`),
        href.replace(`ids=${a.id}&`, ''),
        href.replace(access, `${access.slice(0, -4)}AAAA`),
        href.replace(access, 'x'),
      ]) {
        const { status, body } = await follow(changed);
        expect([changed, status, body]).toEqual([changed, 403, OVER]);
      }
      const { services } = app.running;
      const { clock } = services;
      try {
        services.clock = () => new Date(Date.now() + 300_001);
        const { status, body } = await follow(href);
        expect([status, body]).toEqual([403, OVER]);
      } finally {
        services.clock = clock;
      }
    });

    test('has the rights that its user has when it is followed', async () => {
      await stored('a.txt', 'a');
      const leaver = await app.given.member(project, permissions);
      const locked = await app.given.member(project, permissions);
      const [first, second] = [
        await addressOf(undefined, leaver),
        await addressOf(undefined, locked),
      ];
      const { db, forgetIdentities } = app.running.services;
      await db.write('memberships').where({ user_id: leaver.id }).del();
      await db.write('users').where({ id: locked.id }).update({ status: 'locked' });
      forgetIdentities();
      const answers = [await follow(first), await follow(second)];
      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [404, notFound],
        [403, OVER],
      ]);
    });
  });
});

describeS3('an archive of files in an object store', () => {
  beforeAll(async () => start(s3Environment(await freshBucket())));
  afterAll(() => app?.stop());

  test('has their contents', async () => {
    container = await app.given.workPackage(project, author);
    await stored('a.txt', 'a'.repeat(200_000));
    await stored('b.txt', 'b');
    const answer = await archiveOf();
    expect(await filesOf(answer)).toEqual([
      200,
      [
        ['a.txt', 'a'.repeat(200_000)],
        ['b.txt', 'b'],
      ],
    ]);
  });

  test('a download that was asked for is saved by the browser, and what a page shows is shown', async () => {
    const row = await stored('a.pdf', 'x', { contentType: 'application/pdf' });
    const dispositionAt = async (query: string) => {
      const { headers } = await app.get(`/api/v3/attachments/${row.id}/content${query}`, author);
      return (await fetch(headers.get('location')!)).headers.get('content-disposition');
    };
    expect(await dispositionAt('')).toBe('inline; filename="a.pdf"');
    expect(await dispositionAt('?disposition=inline')).toBe('inline; filename="a.pdf"');
    expect(await dispositionAt('?disposition=attachment')).toBe('attachment; filename="a.pdf"');
  });
});
