/** Clients that upload, complete, claim and delete until the server dies. They note all confirmations. */
import { createHash } from 'node:crypto';
import type { Random } from './random.js';

export interface Client {
  address: string;
  key: string;
  userId: number;
  /** Addresses of containers to attach files to. */
  containers: string[];
  projectId: number;
}

/** The state of one file, as the client knows it. */
export interface Known {
  fileName: string;
  size: number;
  digest: string;
  infected: boolean;
  id?: number;
  how: 'regular' | 'direct';
  /** The server confirmed that the file is stored, or accepted its completion. */
  promised: boolean;
  /** A deletion was requested: the file may be deleted. */
  deleting: boolean;
  /** A deletion was confirmed: the file must be deleted. */
  deleted: boolean;
}

/** Works until a request fails because the server is dead. */
export async function drive(
  client: Client,
  random: Random,
  known: Known[],
  infection: Buffer,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    try {
      await act(client, random, known, infection);
    } catch (error) {
      if (error instanceof Unexpected) throw error;
      if (isOver()) return;
      throw new Unexpected(
        `The server is alive, but: ${error instanceof Error ? error.stack : String(error)}`,
      );
    }
  }
}

/** A response that no crash explains. */
export class Unexpected extends Error {}

let counter = 0;

async function act(
  client: Client,
  random: Random,
  known: Known[],
  infection: Buffer,
): Promise<void> {
  const choice = random.integer(10);
  const mine = known.filter(
    ({ id, deleting, promised }) => id !== undefined && !deleting && promised,
  );
  if (choice < 3) return upload(client, random, known, infection);
  if (choice < 7 || mine.length === 0) return uploadDirectly(client, random, known, infection);
  return remove(client, mine[random.integer(mine.length)]!);
}

function newFile(
  random: Random,
  how: Known['how'],
  infection: Buffer,
): { file: Known; content: Buffer } {
  const infected = random.integer(6) === 0;
  // A unique start, so that all files differ.
  const fileName = `file-${(counter += 1)}-${random.integer(1_000_000)}.bin`;
  const content = infected
    ? infection
    : Buffer.concat([
        Buffer.from(fileName),
        Buffer.alloc(random.integer(300_000), random.integer(256)),
      ]);
  return {
    content,
    file: {
      fileName,
      size: content.byteLength,
      digest: createHash('sha256').update(content).digest('hex'),
      infected,
      how,
      promised: false,
      deleting: false,
      deleted: false,
    },
  };
}

async function request(
  { address, key }: Client,
  method: string,
  path: string,
  body?: FormData,
): Promise<{ status: number; body: any }> {
  const response = await fetch(address + path, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body && { body }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const placeOf = ({ containers }: Client, random: Random): string =>
  random.integer(4) === 0
    ? '/api/v3/attachments'
    : `${containers[random.integer(containers.length)]}/attachments`;

async function upload(
  client: Client,
  random: Random,
  known: Known[],
  infection: Buffer,
): Promise<void> {
  const { file, content } = newFile(random, 'regular', infection);
  known.push(file);
  const form = new FormData();
  form.append(
    'metadata',
    new Blob([JSON.stringify({ fileName: file.fileName })], { type: 'application/json' }),
  );
  form.append('file', new Blob([new Uint8Array(content)]), 'x');
  const { status, body } = await request(client, 'POST', placeOf(client, random), form);
  if (status !== 200)
    throw new Unexpected(`A regular upload was answered with ${status}: ${JSON.stringify(body)}`);
  Object.assign(file, { id: body.id, promised: true });
}

async function uploadDirectly(
  client: Client,
  random: Random,
  known: Known[],
  infection: Buffer,
): Promise<void> {
  const { file, content } = newFile(random, 'direct', infection);
  known.push(file);
  const form = new FormData();
  form.append(
    'metadata',
    new Blob(
      [
        JSON.stringify({
          fileName: file.fileName,
          fileSize: file.size,
          contentType: 'application/octet-stream',
        }),
      ],
      { type: 'application/json' },
    ),
  );
  const { status, body } = await request(
    client,
    'POST',
    `${placeOf(client, random)}/prepare`,
    form,
  );
  if (status !== 201)
    throw new Unexpected(`A preparation was answered with ${status}: ${JSON.stringify(body)}`);
  file.id = body.id;
  const { href, form_fields: fields } = body._links.addAttachment as {
    href: string;
    form_fields: { [name: string]: string };
  };
  const post = new FormData();
  for (const [name, value] of Object.entries(fields)) post.append(name, value);
  post.append('file', new Blob([new Uint8Array(content)]), 'x');
  const sent = await fetch(href, { method: 'POST', body: post });
  await sent.text();
  // The store does not crash. A form that expired on a busy machine is no error of the server.
  if (sent.status !== 201) return;
  if (random.integer(8) === 0) return;
  const completed = await request(client, 'GET', body._links.completeUpload.href);
  if (completed.status !== 200)
    throw new Unexpected(
      `A completion was answered with ${completed.status}: ${JSON.stringify(completed.body)}`,
    );
  file.promised = true;
}

async function remove(client: Client, file: Known): Promise<void> {
  file.deleting = true;
  const { status, body } = await request(client, 'DELETE', `/api/v3/attachments/${file.id}`);
  if (status !== 204)
    throw new Unexpected(`A deletion was answered with ${status}: ${JSON.stringify(body)}`);
  file.deleted = true;
}
