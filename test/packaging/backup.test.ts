/** Back-up and restore by the commands of docs/how-to/backup-and-restore.md, while a server runs and users upload. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApp, startBeside, TEST_SECRET_KEY, type App } from '../support/app.js';
import {
  emptyFolder,
  endCommands,
  program,
  until,
  type Command,
  type Environment,
} from '../support/cli.js';
import { databaseKind } from '../support/database.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { objects } from '../support/direct-upload.js';
import { afterAll, afterEach, expect, test } from '../support/jest.js';
import { clientOf, describeS3, freshBucket, s3Environment } from '../support/rgw.js';
import { bashCommand, installed, succeeded } from './checkout.js';
import { commandBlocks } from './pages.js';

let stopping: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stopping.reverse()) await stop();
  stopping = [];
});
afterAll(endCommands);

const kind = databaseKind() === 'sqlite' ? 'SQLite' : 'PostgreSQL';
const commandsOf = (heading: string): string =>
  commandBlocks().find(({ text }) => text.startsWith(`# ${heading}: ${kind}, files on disk\n`))!
    .text;

/** Pauses before the first `cp`, until the file "go-on" exists. */
const PAUSE =
  'cp() { touch "$BACKUP/rows-are-saved"; until [ -e "$BACKUP/go-on" ]; do sleep 0.05; done; command cp "$@"; }\n';

/** Now the database is saved, but the files are not. */
const rowsSaved = async ({ BACKUP }: Environment, backup: Command) => {
  await until(
    () => backup.ended || existsSync(join(BACKUP!, 'rows-are-saved')),
    'the rows are saved',
  );
  if (backup.ended) succeeded(await backup.outcome);
};

interface Place {
  /** The environment of the commands of the page. */
  variables: Environment;
  /** The environment of a server with the restored data. */
  settings: { DATABASE_URL: string; BLOB_STORE: string };
}

/** The variables of the page. */
function placeOf({ environment, folder }: App): Place {
  const NEW = emptyFolder();
  const bin = emptyFolder();
  writeFileSync(
    join(bin, 'moorage'),
    `#!/bin/sh\nexec ${[process.execPath, ...program].map((part) => `'${part}'`).join(' ')} "$@"\n`,
  );
  chmodSync(join(bin, 'moorage'), 0o755);
  const DATABASE_URL = environment['DATABASE_URL']!;
  const common = {
    PATH: `${bin}:${process.env['PATH']!}`,
    BACKUP: join(emptyFolder(), 'today'),
    BLOBS: join(folder, 'blobs'),
    NEW,
    SECRET_KEY: TEST_SECRET_KEY,
  };
  if (kind === 'SQLite')
    return {
      variables: { ...common, DATABASE_FILE: DATABASE_URL.slice('sqlite:'.length) },
      settings: { DATABASE_URL: `sqlite:${NEW}/moorage.sqlite3`, BLOB_STORE: `disk:${NEW}/blobs` },
    };
  const restored = new URL(DATABASE_URL);
  restored.pathname += '_restored';
  return {
    variables: {
      ...common,
      DATABASE_URL,
      NEW_NAME: restored.pathname.slice(1),
      NEW_DATABASE_URL: restored.href,
    },
    settings: { DATABASE_URL: restored.href, BLOB_STORE: `disk:${NEW}/blobs` },
  };
}

/** Uploads one file after the other. The content of each is its number. */
class Uploader {
  /** The contents of the confirmed uploads, by their addresses. */
  readonly confirmed = new Map<string, string>();
  #over = false;
  readonly #done: Promise<void>;

  constructor(
    readonly app: App,
    readonly into: ContainerHandle,
    readonly as: Person,
  ) {
    this.#done = this.#run();
  }

  async #run() {
    for (let n = 1; !this.#over; n += 1) {
      const { status, body } = await this.app.upload(this.into.attachments, {
        as: this.as,
        content: `file ${n}`,
      });
      expect(status).toBe(200);
      this.confirmed.set(body._links.self.href as string, `file ${n}`);
    }
  }

  /** Waits for this number of further confirmed uploads. */
  async more(count: number) {
    const wanted = this.confirmed.size + count;
    await until(() => this.confirmed.size >= wanted, 'files are uploaded');
  }

  async stop() {
    this.#over = true;
    await this.#done;
  }
}

async function busyApp(environment: Environment = {}) {
  const app = await startApp(environment);
  const project = await app.given.project();
  const author = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  const uploader = new Uploader(app, await app.given.workPackage(project, author), author);
  stopping.push(
    () => app.stop(),
    () => uploader.stop(),
  );
  await uploader.more(5);
  return { app, uploader };
}

/** The content of an attachment, from the service or from the store that it redirects to. */
async function contentOf(app: App, path: string, as: Person): Promise<string> {
  const { status, text, headers } = await app.get(`${path}/content`, as);
  return status === 302 ? (await fetch(headers.get('location')!)).text() : text;
}

/** Every file that was confirmed before is there with its bytes, and a new upload works. */
async function serves(
  app: App,
  settings: Environment,
  before: Map<string, string>,
  { as, into }: Uploader,
) {
  const restored = await startBeside(app, settings);
  try {
    const contents = await Promise.all(
      [...before.keys()].map(async (path) => [path, await contentOf(restored, path, as)] as const),
    );
    expect(new Map(contents)).toEqual(before);
    const { status, body } = await restored.upload(into.attachments, {
      as,
      content: 'after the restore',
    });
    expect([status, await contentOf(restored, body._links.self.href as string, as)]).toEqual([
      200,
      'after the restore',
    ]);
  } finally {
    await restored.stop();
  }
}

/** Only files that were uploaded after the rows were saved are in excess. No file is missing. */
function expectNothingMissing(verified: { status: number | null; stdout: string; stderr: string }) {
  const lines = verified.stdout.trim().split('\n');
  const summary = lines.pop();
  expect(
    lines.filter(
      (line) => !/^unnamed {5}object [0-9a-f]{32} of \d+ bytes: nothing names it$/.test(line),
    ),
  ).toEqual([]);
  expect(lines.length).toBeGreaterThan(0);
  expect({ summary, status: verified.status }).toEqual({
    summary: expect.stringMatching(
      new RegExp(
        `^Verified \\d+ attachments, \\d+ pictures and \\d+ objects: ${lines.length} problems?\\.$`,
      ),
    ),
    status: 1,
  });
}

const dumper = kind === 'SQLite' ? 'sqlite3' : 'pg_dump';
const whereInstalled = installed(dumper) ? test : test.skip;
const named = (name: string) =>
  installed(dumper) ? name : `${name} (skipped: ${dumper} not found)`;

whereInstalled(
  named('files on disk: uploads confirmed before the back-up are there after the restore'),
  async () => {
    const { app, uploader } = await busyApp();
    const { variables, settings } = placeOf(app);
    const before = new Map(uploader.confirmed);
    const backup = bashCommand(PAUSE + commandsOf('back up'), app.folder, variables);
    await rowsSaved(variables, backup);
    // Their bytes are in the back-up, but their rows are not.
    await uploader.more(3);
    writeFileSync(join(variables['BACKUP']!, 'go-on'), '');
    succeeded(await backup.outcome);
    await uploader.stop();

    expectNothingMissing(await bashCommand(commandsOf('restore'), app.folder, variables).outcome);
    await serves(app, settings, before, uploader);
  },
  120_000,
);

describeS3('files in an S3-compatible store', () => {
  whereInstalled(
    named('the same, with the objects of the bucket'),
    async () => {
      const [bucket, copy] = [await freshBucket(), await freshBucket()];
      const { app, uploader } = await busyApp(s3Environment(bucket));
      const { variables, settings } = placeOf(app);
      const before = new Map(uploader.confirmed);
      succeeded(
        await bashCommand(commandsOf('back up').replace(/^cp .*\n/m, ''), app.folder, variables)
          .outcome,
      );
      await uploader.more(3);
      await uploader.stop();
      const client = clientOf(await import('@aws-sdk/client-s3'), bucket);
      for (const key of await objects(bucket))
        await client.copyObject({
          Bucket: copy.bucket,
          Key: key,
          CopySource: `${bucket.bucket}/${key}`,
        });

      const store = s3Environment(copy);
      const restore = commandsOf('restore')
        .replace(/^cp -a .*\n/m, '')
        .replace(/BLOB_STORE=\S+ /, '');
      expectNothingMissing(
        await bashCommand(restore, app.folder, { ...variables, ...store }).outcome,
      );
      await serves(app, { ...store, DATABASE_URL: settings.DATABASE_URL }, before, uploader);
    },
    120_000,
  );
});
