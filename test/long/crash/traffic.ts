/** Clients that upload, complete, claim, copy, replace, delete and restore until the server dies. They note all confirmations. */
import { copy, emptyTrash, isEmptying, replace, restore } from './changes.js';
import { newFile, Unexpected, type Client, type Known } from './known.js';
import type { Random } from './random.js';
import { beginUpload, continueUpload } from './resumable.js';

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

async function act(
  client: Client,
  random: Random,
  known: Known[],
  infection: Buffer,
): Promise<void> {
  const choice = random.integer(20);
  const free = known.filter(({ id, busy }) => id !== undefined && !busy);
  const mine = free.filter(({ deleting, promised }) => !deleting && promised);
  const begun = free.filter(({ upload: one, deleting }) => one && !deleting);
  const restorable = free.filter(({ inTrash }) => inTrash);
  const any = (some: Known[]) => some[random.integer(some.length)]!;
  if (choice < 3) return upload(client, random, known, infection);
  if (choice < 6) return beginUpload(client, random, known, infection);
  if (choice < 9 && begun.length > 0) return continueUpload(client, random, any(begun));
  if (choice < 11 && mine.length > 0) return copy(client, random, known, any(mine));
  if (choice < 13 && mine.length > 0) return replace(client, random, any(mine));
  if (choice < 15 && restorable.length > 0) return restore(client, any(restorable));
  if (choice < 17 && mine.length > 0) return remove(client, any(mine));
  if (choice === 17 && random.integer(8) === 0) return emptyTrash(client, known);
  return uploadDirectly(client, random, known, infection);
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

const UNCLAIMED = '/api/v3/attachments';
const placeOf = ({ containers }: Client, random: Random): string =>
  random.integer(4) === 0
    ? UNCLAIMED
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
  const place = placeOf(client, random);
  file.contained = place !== UNCLAIMED;
  const { status, body } = await request(client, 'POST', place, form);
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
  const place = placeOf(client, random);
  file.contained = place !== UNCLAIMED;
  const { status, body } = await request(client, 'POST', `${place}/prepare`, form);
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

/** A finished file of a container goes to the trash. A virus ends it there too. */
async function remove(client: Client, file: Known): Promise<void> {
  Object.assign(file, { busy: true, deleting: true, emptied: isEmptying() });
  const { status, body } = await request(client, 'DELETE', `/api/v3/attachments/${file.id}`);
  if (status !== 204)
    throw new Unexpected(`A deletion was answered with ${status}: ${JSON.stringify(body)}`);
  const isFinished = file.how === 'regular' || file.how === 'copy';
  const inTrash = file.contained && isFinished && !file.infected && !file.emptied;
  Object.assign(file, { busy: false, deleted: true, inTrash });
}
