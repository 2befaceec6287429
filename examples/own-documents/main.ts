/** Asks with a document that GraphQL Code Generator has typed. */
import { createClient } from 'moorage-client/core';
import { FileNamesDocument } from './generated/documents.js';

/** @returns the names of the files */
export async function filesWithOwnDocument(
  url: string,
  key: string,
  id: string,
): Promise<string[]> {
  const client = createClient({ url, auth: { key } });
  const { container } = await client.query(FileNamesDocument, { id });
  return (container?.attachments.nodes ?? []).map(({ fileName }) => fileName);
}
