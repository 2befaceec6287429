/** `moorage verify` compares rows and objects. */
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { deleteAttachment } from '../../src/actions/files/attachments/delete-attachments.js';
import {
  verifyBlobs,
  type Finding,
  type VerifyOptions,
} from '../../src/actions/files/attachments/verify-blobs.js';
import { STAGING, type Blobs, type StoredBlob } from '../../src/blobs/store.js';
import { makeContext } from '../../src/context.js';
import { Attachment } from '../../src/models/attachment.js';
import { User } from '../../src/models/user.js';
import { startApp, type App } from '../support/app.js';
import { endCommands, environmentOf, run, type Environment } from '../support/cli.js';
import type { Person } from '../support/factories.js';
import { png, SET_AVATAR } from '../support/images.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';
import { describeS3, freshBucket, s3Environment } from '../support/rgw.js';

afterAll(endCommands);

const newKey = () => randomBytes(16).toString('hex');
const put = ({ running }: App, key: string, content: string) =>
  running.services.blobs.put(key, Readable.from([Buffer.from(content)]));
const hide = ({ running }: App, { id }: Attachment, values: object) =>
  Attachment.query(running.services.db.write).findById(id).patch(values);
const sorted = (findings: Finding[]) =>
  [...findings].sort((one, other) => one.problem.localeCompare(other.problem));

/** Rows and objects. Those in `plain` are wrong, and those in `flipped` too unless digests are not compared. */
async function disorder(app: App, author: Person) {
  const { attachment } = app.given;
  const missing = await attachment({ author, fileName: 'missing "one".txt', blob: false });
  const cut = await attachment({ author, fileName: 'cut.txt', content: 'twelve bytes' });
  await put(app, cut.blobKey, 'ten bytes!');
  const flipped = await attachment({ author, fileName: 'flipped.txt', content: 'abc' });
  await put(app, flipped.blobKey, 'abd');
  const stray = newKey();
  await put(app, stray, 'stray');
  // All of these are right.
  await put(app, STAGING + newKey(), 'staged');
  await attachment({ author, status: 'prepared', blob: false });
  await hide(app, await attachment({ author, blob: false }), { phase: 'deleting' });
  await hide(app, await attachment({ author, blob: false }), { phase: 'storing' });
  await hide(app, await attachment({ author, content: 'arrived, but not visible yet' }), {
    phase: 'storing',
    fileSize: 0,
    digestHash: '',
  });
  await attachment({ author, status: 'quarantined' });

  const of = ({ id, fileName, blobKey: key }: Attachment) => ({ id, fileName, key });
  return {
    plain: [
      { ...of(missing), problem: 'missing' },
      { ...of(cut), problem: 'size', expected: 12, found: 10 },
      { key: stray, problem: 'unnamed', size: 5 },
    ] as Finding[],
    flipped: {
      ...of(flipped),
      problem: 'digest',
      algorithm: 'sha256',
      expected: flipped.digestHash,
      found: 'a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9',
    } as Finding,
  };
}

function commandTests(start: () => Promise<{ app: App; environment: Environment }>) {
  let app: App;
  let environment: Environment;
  let author: Person;
  beforeAll(async () => {
    ({ app, environment } = await start());
    author = await app.given.user();
  });
  afterAll(() => app.stop());

  test('reports that everything is right, or each problem and nothing else', async () => {
    await app.given.attachment({ author });
    await app.given.attachment({ author, algorithm: 'md5', content: '' });
    expect(await run(['verify'], environment)).toEqual({
      status: 0,
      stdout: 'Verified 2 attachments, 0 pictures and 2 objects: all is well.\n',
      stderr: '',
    });

    const { plain, flipped } = await disorder(app, author);
    const [text, json] = await Promise.all([
      run(['verify', '--no-digests'], environment),
      run(['verify', '--json'], environment),
    ]);
    const [missing, cut, stray] = plain as [
      Finding & { id: number },
      Finding & { id: number },
      Finding,
    ];
    expect({ ...text, stdout: text.stdout.split('\n').sort() }).toEqual({
      status: 1,
      stderr: '',
      stdout: [
        `missing     attachment ${missing.id} "missing \\"one\\".txt": there is no object ${missing.key}`,
        `size        attachment ${cut.id} "cut.txt": object ${cut.key} has 10 bytes instead of 12`,
        `unnamed     object ${stray.key} of 5 bytes: nothing names it`,
        'Verified 6 attachments, 0 pictures and 7 objects: 3 problems.',
        '',
      ].sort(),
    });
    const { problems, ...counts } = JSON.parse(json.stdout) as {
      problems: Finding[];
      rows: number;
      pictures: number;
      objects: number;
    };
    expect({ ...json, stdout: sorted(problems) }).toEqual({
      status: 1,
      stderr: '',
      stdout: sorted([...plain, flipped]),
    });
    expect(counts).toEqual({ rows: 6, pictures: 0, objects: 7 });
  });
}

describe('the command, on local files', () => {
  commandTests(async () => {
    const app = await startApp();
    return { app, environment: environmentOf(app) };
  });
});

describeS3('the command, on S3', () => {
  commandTests(async () => {
    const bucket = await freshBucket();
    const app = await startApp(s3Environment(bucket));
    return { app, environment: { ...environmentOf(app), ...s3Environment(bucket) } };
  });
});

test('sums of the used storage that are wrong are reported once, and are right then', async () => {
  const app = await startApp();
  const author = await app.given.user();
  const project = await app.given.project();
  const container = await app.given.workPackage(project, author);
  await app.given.attachment({ container, author, content: 'twelve bytes' });
  await app.running.services.db
    .write('project_usage')
    .insert({ project_id: project.id, kind: 'WorkPackage', bytes: 5, files: 1 });
  const well = 'Verified 1 attachments, 0 pictures and 1 objects:';
  expect(await run(['verify'], environmentOf(app))).toEqual({
    status: 1,
    stdout:
      `usage       project ${project.id}, WorkPackage: the sum was corrected by -5 bytes and -1 files\n` +
      `${well} 1 problem.\n`,
    stderr: '',
  });
  expect(await run(['verify'], environmentOf(app))).toEqual({
    status: 0,
    stdout: `${well} all is well.\n`,
    stderr: '',
  });
  await app.stop();
});

describe('pictures of users', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  test('are compared with their objects, as far as their rows say it', async () => {
    const { db } = app.running.services;
    const users = db.write('users');
    const [right, missing, cut, flipped, older] = await Promise.all(
      [10, 11, 12, 13, 14].map(async (size) => {
        const person = await app.given.user();
        await app.graphqlUpload(
          SET_AVATAR,
          { id: String(person.id) },
          png(8, 8, size * 10),
          person,
        );
        const row = await db.read('users').where({ id: person.id }).first();
        return { id: person.id, key: row.avatar_key as string, digest: row.avatar_digest };
      }),
    );
    const { blobs } = app.running.services;
    await blobs.remove(missing!.key);
    await put(app, cut!.key, 'ten bytes!');
    await blobs.put(flipped!.key, Readable.from([png(9, 9, 130)]));
    await put(app, older!.key, 'unknown');
    await users.where({ id: older!.id }).update({ avatar_size: null, avatar_digest: null });
    const { status, stdout, stderr } = await run(['verify', '--json'], environmentOf(app));
    const { problems, ...counts } = JSON.parse(stdout);
    expect({ status, stderr, counts, problems: sorted(problems) }).toEqual({
      status: 1,
      stderr: '',
      counts: { rows: 0, pictures: 5, objects: 4 },
      problems: [
        {
          problem: 'digest',
          userId: flipped!.id,
          key: flipped!.key,
          algorithm: 'sha256',
          expected: flipped!.digest,
          found: createHash('sha256')
            .update(png(9, 9, 130))
            .digest('hex'),
        },
        { problem: 'missing', userId: missing!.id, key: missing!.key },
        { problem: 'size', userId: cut!.id, key: cut!.key, expected: 120, found: 10 },
      ],
    });
    const text = await run(['verify', '--no-digests'], environmentOf(app));
    expect({ ...text, stdout: text.stdout.split('\n').sort() }).toEqual({
      status: 1,
      stderr: '',
      stdout: [
        '',
        'Verified 0 attachments, 5 pictures and 4 objects: 2 problems.',
        `missing     picture of user ${missing!.id}: there is no object ${missing!.key}`,
        `size        picture of user ${cut!.id}: object ${cut!.key} has 10 bytes instead of 120`,
      ],
    });
    expect(right).toBeDefined();
  });

  test('that are replaced after their row was read are no problem', async () => {
    const person = await app.given.user();
    const set = () =>
      app.graphqlUpload(SET_AVATAR, { id: String(person.id) }, png(8, 8, 150), person);
    await app.running.services.db.write('users').update({ avatar_key: null });
    await set();
    const { db, blobs, clock } = app.running.services;
    const { avatar_key: key } = await db.read('users').where({ id: person.id }).first();
    const found: Finding[] = [];
    const stat = async (asked: string) => {
      if (asked === key) await set();
      return blobs.stat(asked);
    };
    const verified = await verifyBlobs(
      { db, clock, blobs: { ...blobs, stat, list: async function* () {} } },
      { found: (finding) => found.push(finding) },
    );
    expect({ found, verified }).toEqual({
      found: [],
      verified: { rows: 0, pictures: 1, objects: 0 },
    });
  });
});

describe('within a process', () => {
  let app: App;
  let author: Person;
  beforeAll(async () => {
    app = await startApp();
    author = await app.given.user();
  });
  afterAll(() => app.stop());

  async function verify(changes: Partial<Blobs> = {}, options: Partial<VerifyOptions> = {}) {
    const found: Finding[] = [];
    const { db, blobs, clock } = app.running.services;
    const verified = await verifyBlobs(
      { db, clock, blobs: { ...blobs, ...changes } },
      { found: (finding) => found.push(finding), ...options },
    );
    return { found, verified };
  }

  async function remove({ id }: Attachment): Promise<void> {
    const { services } = app.running;
    await deleteAttachment(
      makeContext(
        services,
        await User.query(services.db.read).findById(author.id).throwIfNotFound(),
      ),
      id,
    );
  }

  test('a file that is deleted after its row was read and before its object is read is no problem', async () => {
    const { blobs } = app.running.services;
    const [unseen, read] = [
      await app.given.attachment({ author }),
      await app.given.attachment({ author }),
    ];
    const { found, verified } = await verify({
      stat: async (key) => {
        if (key === unseen.blobKey) await remove(unseen);
        return blobs.stat(key);
      },
      read: async (key) => {
        await remove(read);
        return blobs.read(key);
      },
    });
    expect(found).toEqual([]);
    expect(verified).toEqual({ rows: 2, pictures: 0, objects: 0 });
  });

  test('a file that is deleted after its object was listed and before its row is read is no problem', async () => {
    const { blobs } = app.running.services;
    const attachment = await app.given.attachment({ author });
    const list = async function* () {
      for await (const object of blobs.list()) {
        await remove(attachment);
        yield object;
      }
    };
    expect(await verify({ list })).toEqual({
      found: [],
      verified: { rows: 1, pictures: 0, objects: 1 },
    });
  });

  test('an object that disappears within a second, e.g. of a refused upload, is no problem', async () => {
    const { blobs } = app.running.services;
    const key = newKey();
    await put(app, key, 'refused');
    const list = async function* () {
      for await (const object of blobs.list()) {
        setTimeout(() => void blobs.remove(key), 100);
        yield object;
      }
    };
    expect(await verify({ list })).toEqual({
      found: [],
      verified: { rows: 0, pictures: 0, objects: 1 },
    });
  });

  test('an object that cannot be read twice is a problem, but an unreachable store is a failure', async () => {
    const attachment = await app.given.attachment({ author });
    const broken = async () => {
      throw new Error('EIO: i/o error, read');
    };
    expect((await verify({ read: broken })).found).toEqual([
      {
        problem: 'unreadable',
        reason: 'EIO: i/o error, read',
        id: attachment.id,
        fileName: attachment.fileName,
        key: attachment.blobKey,
      },
    ]);
    await expect(
      verify({
        stat: broken,
        check: async () => {
          throw new Error('away');
        },
      }),
    ).rejects.toThrow('away');

    const { blobs } = app.running.services;
    let reads = 0;
    const shaky = async (key: string) => ((reads += 1) === 1 ? broken() : blobs.read(key));
    expect((await verify({ read: shaky })).found).toEqual([]);
    await remove(attachment);
  });

  test('many rows and objects are read in batches, each once', async () => {
    const { db } = app.running.services;
    const { id, ...row } = (await app.given
      .attachment({ author })
      .then(({ id }) => db.read('attachments').where({ id }).first())) as {
      id: number;
      blob_key: string;
    };
    const keys = Array.from({ length: 1_234 }, newKey);
    for (let start = 0; start < keys.length; start += 40)
      await db
        .write('attachments')
        .insert(keys.slice(start, start + 40).map((blob_key) => ({ ...row, blob_key })));
    const strays = Array.from({ length: 1_234 }, newKey);
    const list = async function* (): AsyncGenerator<StoredBlob> {
      for (const key of [row.blob_key, ...keys, ...strays])
        yield { key, size: 9, modifiedAt: new Date(0) };
    };
    let [atOnce, most] = [0, 0];
    const stat = async (key: string) => {
      most = Math.max(most, (atOnce += 1));
      await new Promise(setImmediate);
      atOnce -= 1;
      return key === keys[777] ? null : { size: 9 };
    };
    const { found, verified } = await verify({ list, stat }, { digests: false });
    expect(verified).toEqual({ rows: 1_235, pictures: 0, objects: 2_469 });
    expect(found.filter(({ problem }) => problem !== 'unnamed')).toEqual([
      expect.objectContaining({ problem: 'missing', key: keys[777] }),
    ]);
    expect(found.filter(({ problem }) => problem === 'unnamed').map(({ key }) => key)).toEqual(
      strays,
    );
    expect(most).toBe(16);
    expect(id).toBeGreaterThan(0);
  });

  test('an outdated database is not changed', async () => {
    writeFileSync(join(app.folder, 'empty.sqlite3'), '');
    const { status, stdout, stderr } = await run(['verify', '--json'], {
      DATABASE_URL: `sqlite:${join(app.folder, 'empty.sqlite3')}`,
      BLOB_STORE: `disk:${join(app.folder, 'empty')}`,
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^moorage verify: The database is not up to date \(.+\): run `moorage migrate` first\.\n$/,
      ),
    });
  });
});
