/** Several direct uploads are finalised at once, up to `FINALIZATIONS` in each process. */
import { startApp, startBeside, type App } from '../support/app.js';
import { eventually, finalized, uploaded, Work, type Uploading } from '../support/direct-upload.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { describeS3, freshBucket, s3Environment } from '../support/rgw.js';

/** Holds copies in the store until it is opened, and counts them. */
class Gate {
  held = 0;
  most = 0;
  #open = false;
  readonly #waiting: (() => void)[] = [];

  async pass(): Promise<void> {
    this.held += 1;
    this.most = Math.max(this.most, this.held);
    if (!this.#open) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.held -= 1;
  }

  open(): void {
    this.#open = true;
    for (const pass of this.#waiting.splice(0)) pass();
  }
}

describeS3('completed direct uploads', () => {
  let app: App;
  let beside: App;
  let person: Person;
  const working: Work[] = [];

  beforeAll(async () => {
    const environment = { ...s3Environment(await freshBucket()), FINALIZATIONS: '2' };
    app = await startApp(environment);
    beside = await startBeside(app, { FINALIZATIONS: '3' });
    person = await app.given.user({ admin: true });
  });
  afterAll(async () => {
    await Promise.all(working.map((work) => work.stop()));
    await beside?.stop();
    await app?.stop();
  });

  /** Starts the background work of a server, whose copies pass a gate. */
  function work(on: App): Gate {
    const gate = new Gate();
    const { blobs } = on.running.services;
    const one = new Work(on);
    one.start({
      blobs: {
        ...blobs,
        copy: async (from, to) => {
          await blobs.copy(from, to);
          await gate.pass();
        },
      },
    });
    working.push(one);
    return gate;
  }

  async function completed(count: number): Promise<Uploading[]> {
    const uploads: Uploading[] = [];
    for (let number = 0; number < count; number += 1) {
      const one = await uploaded(app, { as: person, content: `file ${number}` });
      expect((await app.get(one.completion, person)).status).toBe(200);
      uploads.push(one);
    }
    return uploads;
  }

  test('are finalised at once, up to the limit of each of two processes', async () => {
    const uploads = await completed(8);
    const first = work(app);
    expect(
      await eventually(
        () => first.held,
        (held) => held === 2,
      ),
    ).toBe(2);
    const second = work(beside);
    expect(
      await eventually(
        () => second.held,
        (held) => held === 3,
      ),
    ).toBe(3);
    const { db } = app.running.services;
    const waiting = await db
      .read('attachments')
      .where({ status: 'prepared' })
      .whereNull('lease_token');
    expect(waiting).toHaveLength(3);
    first.open();
    second.open();
    const answers = await Promise.all(uploads.map(({ id }) => finalized(app, id, person)));
    expect(answers.map(({ body }) => [body.status, body.fileSize])).toEqual(
      uploads.map(() => ['uploaded', 6]),
    );
    expect([first.most, second.most]).toEqual([2, 3]);
  });
});
