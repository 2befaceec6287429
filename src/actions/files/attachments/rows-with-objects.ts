/** Reads the rows that name complete objects: attachments, users with a picture, and previews. */
import type { QueryBuilder } from 'objection';
import type { Services } from '../../../context.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { Preview, previewKey } from '../../../models/preview.js';
import { User } from '../../../models/user.js';

/** Names a row in a report. `id` is that of the attachment, `userId` that of a user. */
export type RowInfo = { key: string } & (
  { id: number; fileName: string } | { userId: number } | { previewId: number }
);

/** What a row says about its object. Null: it does not say it. */
export interface NamingRow {
  kind: 'attachment' | 'picture' | 'preview';
  info: RowInfo;
  size: number | null;
  digest: { algorithm: string; hash: string } | null;
  /** Whether the row still names the object. A removal changes the row before the object. */
  isCurrent(): Promise<boolean>;
}

type Read = Services['db']['read'];

/** Rows per statement. */
const ROWS_AT_ONCE = 500;

/** Oldest first, attachments before users, and these before previews. */
export async function* rowsWithObjects(read: Read): AsyncGenerator<NamingRow> {
  const complete = () =>
    Attachment.query(read)
      .whereIn('phase', ['kept', 'deleted'])
      .whereNot('status', AttachmentStatus.PREPARED);
  for await (const row of everyRow(complete)) {
    const { id, fileName, blobKey: key, digestAlgorithm: algorithm, digestHash: hash } = row;
    yield {
      kind: 'attachment',
      info: { id, fileName, key },
      size: row.fileSize,
      digest: { algorithm, hash },
      isCurrent: async () => (await complete().where({ id, blob_key: key }).resultSize()) > 0,
    };
  }
  const pictured = () => User.query(read).whereNotNull('avatar_key');
  for await (const { id, avatarKey, avatarSize, avatarDigest } of everyRow(pictured)) {
    // The condition of the query excludes null.
    const key = avatarKey as string;
    yield {
      kind: 'picture',
      info: { userId: id, key },
      size: avatarSize,
      digest: avatarDigest === null ? null : { algorithm: 'sha256', hash: avatarDigest },
      isCurrent: async () => (await pictured().where({ id, avatar_key: key }).resultSize()) > 0,
    };
  }
  const made = () => Preview.query(read).where('state', 'ready');
  for await (const { id, blobKey, objects } of everyRow(made))
    for (const { name, size, digest } of objects)
      yield {
        kind: 'preview',
        info: { previewId: id, key: previewKey(blobKey, name) },
        size,
        digest: { algorithm: 'sha256', hash: digest },
        isCurrent: async () => (await made().where({ id }).resultSize()) > 0,
      };
}

/** Reads all rows of a query in batches, in the order of their ids. */
async function* everyRow<M extends Attachment | User | Preview>(
  query: () => QueryBuilder<M>,
): AsyncGenerator<M> {
  let lastId: number | undefined = 0;
  while (lastId !== undefined) {
    const rows: M[] = await query().where('id', '>', lastId).orderBy('id').limit(ROWS_AT_ONCE);
    yield* rows;
    lastId = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)?.id;
  }
}
