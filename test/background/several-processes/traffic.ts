/** Clients that upload, download and query without a pause, and note every wrong answer. */
import type { App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { uploadDirectly } from '../../support/direct-upload.js';
import type { ContainerHandle, Person } from '../../support/factories.js';

export class Traffic {
  /** Confirmed uploads: content by id. */
  readonly kept = new Map<number, string>();
  readonly failures: string[] = [];
  #over = false;
  readonly #clients: Promise<void>[];
  #count = 0;

  constructor(
    private readonly app: App,
    private readonly as: Person,
    private readonly to: ContainerHandle,
  ) {
    this.#clients = [this.#upload, this.#upload, this.#uploadDirectly, this.#read, this.#ask].map(
      (action) => this.#again(action),
    );
  }

  /** Waits for this number of further uploads. */
  async more(count: number): Promise<void> {
    const before = this.kept.size;
    await until(() => this.kept.size > before + count, 'there is traffic');
  }

  /** Lets all clients finish their current request. */
  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#clients);
  }

  async #again(action: () => Promise<void>): Promise<void> {
    while (!this.#over) {
      try {
        await action();
      } catch (error) {
        this.failures.push(`${(error as Error).message} ${String((error as Error).cause ?? '')}`);
      }
    }
  }

  readonly #upload = async (): Promise<void> => {
    const content = `upload ${(this.#count += 1)}`;
    const { status, body, text } = await this.app.upload(this.to.attachments, {
      as: this.as,
      content,
    });
    demand('an upload', status === 200, status, text);
    this.kept.set(body.id, content);
  };

  readonly #uploadDirectly = async (): Promise<void> => {
    const content = `direct upload ${(this.#count += 1)}`;
    const { status, body, text } = await uploadDirectly(this.app, {
      as: this.as,
      to: this.to.attachments,
      content,
    });
    demand('a direct upload', status === 200 && body.status === 'uploaded', status, text);
    this.kept.set(body.id, content);
  };

  readonly #read = async (): Promise<void> => {
    const [id, content] = [...this.kept].at(-1) ?? [];
    if (id === undefined) return void (await this.app.get(this.to.path, this.as));
    const { status, text } = await this.app.get(`/api/v3/attachments/${id}`, this.as);
    demand('a view', status === 200, status, text);
    const read = await download(this.app, id, this.as);
    demand('a download', read === content, read);
  };

  readonly #ask = async (): Promise<void> => {
    const { status, data, errors } = await this.app.graphql(
      '{ viewer { databaseId } }',
      {},
      this.as,
    );
    demand('a query', data?.viewer?.databaseId === this.as.id, status, JSON.stringify(errors));
  };
}

/** The bytes, from the address to which the service redirects. */
export async function download(app: App, id: number, as: Person): Promise<string> {
  const { status, headers } = await app.get(`/api/v3/attachments/${id}/content`, as);
  demand('a download', status === 302, status);
  return (await fetch(headers.get('location')!)).text();
}

function demand(what: string, well: boolean, ...answer: unknown[]): void {
  if (!well) throw new Error(`${what} was answered with ${answer.join(' ')}`);
}
