/** A regular upload: the file passes through the service, as one GraphQL request with a form. */
import { sleep } from '../back-off.js';
import { dataOf, type Connection } from '../connection.js';
import {
  CreateAttachmentDocument,
  RecentAttachmentsDocument,
  type AttachmentPartsFragment,
  type CreateAttachmentMutation,
} from '../documents/index.js';
import type { AttachmentTarget } from './attachment-way.js';
import { sendFile } from './send.js';
import type { Attempt } from './way.js';

/** @throws MoorageError, or the reason of the signal */
export async function sendRegular(
  connection: Connection,
  { containerId, fileName, description }: AttachmentTarget,
  { file, signal, setSent }: Attempt,
): Promise<AttachmentPartsFragment> {
  const source = file();
  const variables = { input: { containerId, fileName, description, file: null } };
  const operations = JSON.stringify({ query: String(CreateAttachmentDocument), variables });
  const send = (headers: { [name: string]: string }) =>
    sendFile(connection.fetch, {
      method: 'POST',
      url: `${connection.url}/graphql`,
      headers: { accept: 'application/json', 'apollo-require-preflight': '1', ...headers },
      body: {
        fields: [
          ['operations', operations],
          ['map', '{"0":["variables.input.file"]}'],
        ],
        name: '0',
        file: source,
        fileName,
      },
      size: source.size,
      signal,
      onProgress: setSent,
    });
  const headers = await connection.credentials.headers();
  let answer = await send(headers);
  if (answer.status === 401) {
    const others = await connection.credentials.renewed(headers);
    if (others) answer = await send(others);
  }
  return dataOf<CreateAttachmentMutation>(answer.text, answer).createAttachment.attachment;
}

/** Attachments that uploads of this page have made. Each belongs to one upload. */
const taken = new Set<string>();

/** Notes that an attachment belongs to an upload, so that no other upload takes it for its own. */
export const take = (id: string): void => void taken.add(id);

/** An upload that had no answer. */
export interface Unanswered extends AttachmentTarget {
  size: number;
  /** The largest id of the caller's files before the upload. */
  after: number;
  /** Whether all bytes left, so that the service is perhaps still storing them. */
  maybeStored: boolean;
}

/** How long the service may take to store a file that has left completely. */
const STORING_MS = [500, 1_500, 4_000];

/**
 * Looks for the file of an upload whose answer was lost: the newest of the caller's files with its
 * name, size and container that came after the upload began.
 */
export async function findSent(
  connection: Connection,
  sent: Unanswered,
  signal?: AbortSignal,
): Promise<AttachmentPartsFragment | undefined> {
  let found = await find(connection, sent, signal);
  for (const ms of sent.maybeStored ? STORING_MS : []) {
    if (found) break;
    await sleep(ms, signal);
    found = await find(connection, sent, signal);
  }
  if (found) take(found.id);
  return found;
}

async function find(
  connection: Connection,
  { containerId, fileName, size, after }: Unanswered,
  signal?: AbortSignal,
): Promise<AttachmentPartsFragment | undefined> {
  const { viewer } = await connection.ask(RecentAttachmentsDocument, {}, { signal });
  return viewer.recentAttachments.nodes.find(
    (one) =>
      one.databaseId > after &&
      one.fileName === fileName &&
      one.fileSize === size &&
      (one.container?.id ?? undefined) === containerId &&
      !taken.has(one.id),
  );
}
