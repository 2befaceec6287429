/** The three steps of a direct upload, as a client does them: prepare, send the file, complete. */
import { AssertionError } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBackground, type Background } from '../../src/workers/background-jobs.js';
import type { Answer, App } from './app.js';
import type { Person } from './factories.js';
import { clientOf, type S3Bucket } from './rgw.js';

export interface Form {
  href: string;
  method: string;
  form_fields: { [name: string]: string };
}

/** The form that prepares an upload: one part with JSON text, unless `metadata` replaces it. */
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

/** Sends the form to the store without credentials: all fields unchanged and in order, the file last. */
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
  /** The answer to the prepare request. */
  prepared: any;
  form: Form;
  completion: string;
}

/** Prepares an upload and sends the file. */
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

/** Waits until an address gives the expected answer. */
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
  throw new AssertionError({ message: `${path} did not give the expected answer in time.` });
}

/** Waits for the end of a finalisation. @returns the finished attachment, or its 404 */
export const finalized = (app: App, id: number, as: Person): Promise<Answer> =>
  until(
    app,
    `/api/v3/attachments/${id}`,
    as,
    ({ status, body }) => status === 404 || body.status !== 'prepared',
  );

/** Does all three steps. @returns the finished attachment */
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

/** The names of all objects in the bucket. */
export async function objects({ bucket, ...server }: S3Bucket): Promise<string[]> {
  const client = clientOf(await import('@aws-sdk/client-s3'), server);
  const { Contents = [] } = await client.listObjectsV2({ Bucket: bucket });
  return Contents.map(({ Key }) => Key!);
}

/** Waits until a value passes a check, and returns the value. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  wanted: (seen: T) => boolean,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    const seen = await look();
    if (wanted(seen)) return seen;
    if (attempt === 400)
      throw new AssertionError({
        message: `The expected value did not come in time; the last one: ${JSON.stringify(seen)?.slice(0, 2000)}`,
      });
    await sleep(25);
  }
}

/** The background work of a server that was started without it. Tests switch it on and off. */
export class Work {
  #running: Background[] = [];

  constructor(private readonly app: App) {}

  /** @param changes replacements of services, e.g. a slow store or a clock in the future */
  start(changes: Partial<App['running']['services']> = {}): void {
    const { services } = this.app.running;
    this.#running.push(startBackground({ ...services, wake: () => services.wake(), ...changes }));
    services.wake = () => this.#running.forEach((one) => one.wake());
  }

  async stop(): Promise<void> {
    const ending = this.#running.splice(0);
    await Promise.all(ending.map((one) => one.stop()));
  }

  /** Pauses finalisation, scans and cleanup while a function runs. */
  async paused<T>(deed: () => Promise<T>): Promise<T> {
    await this.stop();
    try {
      return await deed();
    } finally {
      this.start();
    }
  }
}
