/** One resumable upload, and what its client knows of it. */
import { createHash } from 'node:crypto';
import { request, type IncomingHttpHeaders } from 'node:http';
import { metadataOf, TUS } from '../../support/tus.js';
import type { Random } from '../crash/random.js';

const MEGABYTE = 1024 * 1024;
/** More than two parts of an object store. */
const MOST = 18 * MEGABYTE;

export interface Client {
  address: string;
  key: string;
  containerId: string;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
}

/** An answer that no kill explains. */
export class Unexpected extends Error {}

export class Upload {
  readonly bytes: Buffer;
  readonly digest: string;
  path: string | undefined;
  /** Bytes that an answer has confirmed. */
  confirmed = 0;

  /** @param replaces id of the attachment that gets the content */
  constructor(
    readonly name: string,
    readonly replaces: number | undefined,
    private readonly uploadKey: string | undefined,
    random: Random,
  ) {
    const size = 1 + random.integer(random.integer(3) === 0 ? MOST : MEGABYTE);
    this.bytes = Buffer.alloc(size, name);
    for (let place = 0; place < size - 4; place += 4096) this.bytes.writeUInt32LE(place, place);
    this.digest = createHash('sha256').update(this.bytes).digest('hex');
  }

  get id(): number {
    return Number(this.path?.split('/').at(-1));
  }

  /** Whether the client can find its upload again. */
  get isKnown(): boolean {
    return this.path !== undefined || this.uploadKey !== undefined;
  }

  async create(client: Client): Promise<void> {
    const { headers } = await this.#send(client, 'POST', '/uploads', [201], {
      headers: {
        'upload-length': String(this.bytes.length),
        'upload-metadata': metadataOf({
          filename: this.name,
          ...(this.uploadKey !== undefined && { uploadKey: this.uploadKey }),
          ...(this.replaces === undefined
            ? { container: client.containerId }
            : { replaces: String(this.replaces) }),
        }),
      },
    });
    this.path = headers['location'];
  }

  /** @returns how many bytes have arrived; undefined if there is no such upload */
  async offset(client: Client): Promise<number | undefined> {
    const { status, headers } = await this.#send(client, 'HEAD', this.path!, [200, 404]);
    if (status === 404) return undefined;
    const offset = Number(headers['upload-offset']);
    if (offset < this.confirmed)
      throw new Unexpected(`${offset} bytes are there, but ${this.confirmed} were confirmed.`);
    return (this.confirmed = offset);
  }

  /** @param at called when so many bytes of the body are on their way */
  async patch(
    client: Client,
    end: number,
    at?: { bytes: number; reached: () => void },
  ): Promise<void> {
    await this.#send(client, 'PATCH', this.path!, [204], {
      headers: {
        'upload-offset': String(this.confirmed),
        'content-type': 'application/offset+octet-stream',
      },
      body: this.bytes.subarray(this.confirmed, end),
      at,
    });
    this.confirmed = end;
  }

  async terminate(client: Client): Promise<void> {
    await this.#send(client, 'DELETE', this.path!, [204, 404]);
  }

  async #send(
    client: Client,
    method: string,
    path: string,
    wanted: readonly number[],
    {
      headers = {},
      body = Buffer.alloc(0),
      at,
    }: {
      headers?: { [name: string]: string };
      body?: Buffer;
      at?: { bytes: number; reached: () => void } | undefined;
    } = {},
  ): Promise<Answer> {
    const answer = await new Promise<Answer>((resolve, reject) => {
      const sending = request(
        client.address + path,
        {
          method,
          headers: {
            ...TUS,
            ...headers,
            authorization: `Bearer ${client.key}`,
            'content-length': String(body.length),
          },
        },
        (response) => {
          response
            .resume()
            .once('end', () =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers }),
            );
        },
      );
      sending.once('error', reject);
      if (!at) return void sending.end(body);
      sending.flushHeaders();
      sending.write(body.subarray(0, at.bytes), () => {
        at.reached();
        sending.end(body.subarray(at.bytes));
      });
    });
    if (!wanted.includes(answer.status))
      throw new Unexpected(`${method} ${path} was answered with ${answer.status}.`);
    return answer;
  }
}
