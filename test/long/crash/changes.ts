/** Clients copy, replace and restore files, and administrators empty the trash. */
import { createHash } from 'node:crypto';
import type { Random } from './random.js';
import { graphql, Unexpected, type Client, type Known } from './known.js';

/** Of files that are not finished yet, are in quarantine, or were deleted meanwhile. */
const usual = ['NOT_FOUND', 'MISSING_PERMISSION'];

function demandUsual(what: string, code: string | undefined): void {
  if (code !== undefined && !usual.includes(code))
    throw new Unexpected(`${what} was answered with ${code}`);
}

export async function copy(
  client: Client,
  random: Random,
  known: Known[],
  file: Known,
): Promise<void> {
  file.copied = true;
  const { data, code } = await graphql(
    client,
    'mutation ($ids: [ID!]!, $to: ID!) { copyAttachments(input: { ids: $ids, to: $to }) { attachments { databaseId fileSize digest { hash } } } }',
    { ids: [String(file.id)], to: client.targets[random.integer(client.targets.length)] },
  );
  demandUsual('A copy', code);
  if (!data) return;
  // The original may have been replaced meanwhile.
  const [{ databaseId: id, fileSize: size, digest }] = data.copyAttachments.attachments;
  const { fileName, infected } = file;
  known.push({
    fileName,
    infected,
    id,
    size,
    digest: digest.hash,
    how: 'copy',
    contained: true,
    copied: true,
    promised: true,
    deleting: false,
    deleted: false,
  });
}

export async function replace(client: Client, random: Random, file: Known): Promise<void> {
  if (file.infected) return;
  const content = Buffer.from(`${file.fileName} again ${random.integer(1_000_000_000)}`);
  const digest = createHash('sha256').update(content).digest('hex');
  file.busy = true;
  file.perhaps = [digest];
  const { data, code } = await graphql(
    client,
    'mutation ($id: ID!, $file: Upload!, $fileName: String) { replaceAttachment(input: { id: $id, file: $file, fileName: $fileName }) { attachment { databaseId } } }',
    { id: String(file.id), fileName: file.fileName, file: null },
    content,
  );
  demandUsual('A replacement', code);
  if (data) Object.assign(file, { digest, size: content.byteLength, how: 'regular' });
  Object.assign(file, { busy: false, perhaps: [] });
}

export async function restore(client: Client, file: Known): Promise<void> {
  file.busy = true;
  const mustBeThere = file.inTrash;
  file.inTrash = false;
  file.deleted = false;
  const { data, code } = await graphql(
    client,
    'mutation ($ids: [ID!]!) { restoreAttachments(input: { ids: $ids }) { attachments { databaseId } } }',
    { ids: [String(file.id)] },
  );
  demandUsual('A restoration', code);
  if (data) Object.assign(file, { busy: false, deleting: false, emptied: false });
  // Somebody may have emptied the trash since.
  else if (mustBeThere && !file.emptied)
    throw new Unexpected(`The trash has lost ${file.fileName}`);
  else file.deleted = true;
}

/** Requests to empty the trash that are not answered yet. */
let emptying = 0;

/** A file that is deleted meanwhile may be emptied too: the server gets requests in any order. */
export const isEmptying = (): boolean => emptying > 0;

export async function emptyTrash(client: Client, known: Known[]): Promise<void> {
  for (const file of known)
    if (file.deleting) Object.assign(file, { inTrash: false, emptied: true });
  emptying += 1;
  try {
    const { code } = await graphql(
      { ...client, key: client.adminKey },
      'mutation ($id: ID!) { emptyTrash(input: { projectId: $id }) { removed } }',
      { id: String(client.projectId) },
    );
    if (code !== undefined) throw new Unexpected(`Emptying the trash was answered with ${code}`);
  } finally {
    emptying -= 1;
  }
}
