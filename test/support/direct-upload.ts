/** The three steps of a direct upload as a client takes them (interface 4.3). */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBackground, type Background } from '../../src/workers/index.js';
import type { Answer, App } from './app.js';
import type { Person } from './factories.js';
import { clientOf, type S3Bucket } from './rgw.js';

export interface Form {
  href: string;
  method: string;
  form_fields: { [name: string]: string };
}

/** The form of the preparation: one part, as JSON text unless `metadata` says otherwise. */
export function prepare(
  app: App,
  path: string,
  as: Person | undefined,
  metadata: object | string,
): Promise<Answer> {
  const form = new FormData();
  form.append(
    'metadata',
    new Blob([typeof metadata === 'string' ? metadata : JSON.stringify(metadata)], {
      type: 'application/json',
    }),
  );
  return app.request('POST', path, { as, body: form });
}

/** Every field in its order, unchanged, and the file last; to the store, without credentials. */
export async function sendForm(
  { href, form_fields }: Form,
  content: string | Uint8Array | undefined,
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(form_fields)) form.append(name, value);
  if (content !== undefined) form.append('file', new Blob([content]), 'ignored.bin');
  return fetch(href, { method: 'POST', body: form });
}

export interface Uploading {
  id: number;
  /** The answer of the preparation. */
  prepared: any;
  form: Form;
  completion: string;
}

/** Prepares, and sends the bytes. */
export async function uploaded(
  app: App,
  {
    as,
    content = 'direct content',
    to = '/api/v3/attachments',
    ...metadata
  }: { as: Person; content?: string | Uint8Array; to?: string; [member: string]: unknown },
): Promise<Uploading> {
  const { status, body } = await prepare(app, `${to}/prepare`, as, {
    fileName: 'direct.txt',
    fileSize: Buffer.byteLength(content),
    contentType: 'text/plain',
    ...metadata,
  });
  if (status !== 201)
    throw new Error(`The preparation was answered with ${status}: ${JSON.stringify(body)}`);
  const sent = await sendForm(body._links.addAttachment, content);
  if (sent.status !== 201)
    throw new Error(`The store answered ${sent.status}: ${await sent.text()}`);
  return {
    id: body.id,
    prepared: body,
    form: body._links.addAttachment,
    completion: body._links.completeUpload.href,
  };
}

/** Waits until an address answers what is waited for. */
export async function until(
  app: App,
  path: string,
  as: Person,
  wanted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const answer = await app.get(path, as);
    if (wanted(answer)) return answer;
    await sleep(25);
  }
  throw new Error(`${path} never answered what was waited for.`);
}

/** Waits for the end of a finalisation: the finished attachment, or its 404. */
export const finalized = (app: App, id: number, as: Person): Promise<Answer> =>
  until(
    app,
    `/api/v3/attachments/${id}`,
    as,
    ({ status, body }) => status === 404 || body.status !== 'prepared',
  );

/** All three steps, and the finished attachment. */
export async function uploadDirectly(
  app: App,
  options: Parameters<typeof uploaded>[1],
): Promise<Answer> {
  const { id, completion } = await uploaded(app, options);
  const completed = await app.get(completion, options.as);
  if (completed.status !== 200)
    throw new Error(`The completion was answered with ${completed.status}.`);
  return finalized(app, id, options.as);
}

/** Names of everything in the bucket. */
export async function objects({ bucket, ...server }: S3Bucket): Promise<string[]> {
  const client = clientOf(await import('@aws-sdk/client-s3'), server);
  const { Contents = [] } = await client.listObjectsV2({ Bucket: bucket });
  return Contents.map(({ Key }) => Key!);
}

/** Waits until something is as it should be, and returns it. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  wanted: (seen: T) => boolean,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    const seen = await look();
    if (wanted(seen)) return seen;
    if (attempt === 400)
      throw new Error(
        `Never seen what was waited for; at last: ${JSON.stringify(seen)?.slice(0, 2000)}`,
      );
    await sleep(25);
  }
}

/** The background work of a server that was started without it, to be switched on and off. */
export class Work {
  #running: Background[] = [];

  constructor(private readonly app: App) {}

  /** @param changes what the work finds in place of a service: a store that waits, a clock that runs ahead */
  start(changes: Partial<App['running']['services']> = {}): void {
    const { services } = this.app.running;
    this.#running.push(startBackground({ ...services, wake: () => services.wake(), ...changes }));
    services.wake = () => this.#running.forEach((one) => one.wake());
  }

  async stop(): Promise<void> {
    const ending = this.#running.splice(0);
    await Promise.all(ending.map((one) => one.stop()));
  }

  /** Does something while nothing is finalised, scanned or swept; then the work goes on. */
  async paused<T>(deed: () => Promise<T>): Promise<T> {
    await this.stop();
    try {
      return await deed();
    } finally {
      this.start();
    }
  }
}
