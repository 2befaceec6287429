/** A regular upload: the file passes through the service, as one GraphQL request with a form. */
import { dataOf, type Connection } from '../connection.js';
import {
  CreateAttachmentDocument,
  RecentAttachmentsDocument,
  type AttachmentPartsFragment,
  type CreateAttachmentMutation,
} from '../generated/documents.js';
import type { AttachmentTarget } from './attachment-target.js';
import { sendFile } from './send.js';
import type { Attempt } from './way.js';

/** @throws MoorageError, or the reason of the signal */
export async function sendRegular(
  connection: Connection,
  { containerId, fileName, description, uploadKey }: AttachmentTarget & { uploadKey: string },
  { file, signal, setSent }: Attempt,
): Promise<AttachmentPartsFragment> {
  const source = file();
  const variables = { input: { containerId, fileName, description, uploadKey, file: null } };
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

/** Looks for the file of an upload whose answer was lost, among the caller's newest files. */
export async function findSent(
  connection: Connection,
  uploadKey: string,
  signal?: AbortSignal,
): Promise<AttachmentPartsFragment | undefined> {
  const { viewer } = await connection.ask(RecentAttachmentsDocument, {}, { signal });
  return viewer.recentAttachments.nodes.find((one) => one.uploadKey === uploadKey);
}
