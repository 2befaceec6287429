/** Opens the files of a container for one archive, and those that a work package links to. */
import { Readable } from 'node:stream';
import { BlobMissing } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import { columnOf } from '../../../contract/container-kinds.js';
import { NotFound } from '../../../contract/errors.js';
import { Attachment } from '../../../models/attachment.js';
import { FileLink } from '../../../models/file-link.js';
import { can } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { openLinkedFile } from '../../storages/links/open-linked-file.js';
import type { ArchiveOf } from './archive-address.js';
import { whyRefused } from './open-content.js';

export interface OpenArchive {
  /** Name of the archive without its ending. */
  name: string;
  /** The files, each opened when it is asked for. The last one lists what is missing, if any. */
  files: AsyncIterable<ArchivedFile>;
}

interface ArchivedFile {
  name: string;
  modifiedAt: Date;
  /** In bytes. Undefined: only its storage knows it. */
  size: number | undefined;
  bytes: Readable;
}

/** Rows that are read at a time. The permission is asked again for each of these steps. */
const STEP = 100;

/** @throws NotFound for a container that is missing or hidden */
export async function openArchive(context: Context, archive: ArchiveOf): Promise<OpenArchive> {
  const container = await find.container(context, archive.type, archive.id);
  if (!container) throw new NotFound();
  return {
    name: container.subject ?? container.title ?? `comment ${archive.id}`,
    files: filesOf(context, archive),
  };
}

async function* filesOf(context: Context, archive: ArchiveOf): AsyncGenerator<ArchivedFile> {
  const wanted = new Set(archive.ids);
  const missing: string[] = [];
  for await (const attachment of attachmentsOf(context, archive)) {
    wanted.delete(attachment.id);
    const { fileName, fileSize, createdAt } = attachment;
    if (!can.download(context, attachment)) {
      missing.push(`${fileName}: ${whyRefused(attachment)}`);
      continue;
    }
    const bytes = await bytesOf(context, attachment);
    if (bytes) yield { name: fileName, modifiedAt: new Date(createdAt), size: fileSize, bytes };
    else missing.push(`${fileName}: The file is missing from the file storage.`);
  }
  if (!archive.ids && archive.type === 'WorkPackage')
    for await (const { link, content } of linkedFilesOf(context, archive.id)) {
      const { originName: name, originLastModifiedAt, createdAt } = link;
      if (typeof content === 'string') missing.push(`${name}: ${content}`);
      else
        yield {
          name,
          modifiedAt: new Date(originLastModifiedAt ?? createdAt),
          size: undefined,
          bytes: content,
        };
    }
  // Hidden files and deleted ones look the same.
  for (const id of wanted) missing.push(`Attachment ${id}: It is not here any more.`);
  if (missing.length > 0) yield listOf(missing, context.clock());
}

/** The finished attachments that the caller may see, in the order of their ids. */
async function* attachmentsOf(
  context: Context,
  { type, id, ids }: ArchiveOf,
): AsyncGenerator<Attachment> {
  const isHere = ({ containerRef, status }: Attachment) =>
    containerRef?.type === type && containerRef.id === id && status !== 'prepared';
  for await (const some of ids
    ? inSteps(ids)
    : idsOf(context, Attachment.tableName, columnOf(type), id))
    yield* (await find.attachment.many(context, some))
      .filter(isHere)
      .sort((one, other) => one.id - other.id);
}

function* inSteps(ids: readonly number[]): Generator<readonly number[]> {
  const sorted = [...new Set(ids)].sort((one, other) => one - other);
  for (let at = 0; at < sorted.length; at += STEP) yield sorted.slice(at, at + STEP);
}

async function* linkedFilesOf(context: Context, workPackageId: number) {
  for await (const ids of idsOf(context, FileLink.tableName, 'work_package_id', workPackageId))
    for (const id of ids) {
      const file = await openLinkedFile(context, id);
      if (file) yield file;
    }
}

/** The ids of rows with this container, in steps. */
async function* idsOf(
  { db }: Context,
  table: string,
  column: string,
  container: number,
): AsyncGenerator<readonly number[]> {
  for (let last = 0; ;) {
    const ids = await db
      .read(table)
      .where(column, container)
      .where('id', '>', last)
      .orderBy('id')
      .limit(STEP)
      .pluck<number[]>('id');
    yield ids;
    if (ids.length < STEP) return;
    last = ids.at(-1)!;
  }
}

async function bytesOf(
  { blobs, log }: Context,
  { id, blobKey }: Attachment,
): Promise<Readable | undefined> {
  try {
    return await blobs.read(blobKey);
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    log.error({ attachment: id }, 'the file of an attachment is missing from the blob store');
    return undefined;
  }
}

function listOf(missing: readonly string[], modifiedAt: Date): ArchivedFile {
  const text = Buffer.from(`These files are not in the archive:\n\n${missing.join('\n')}\n`);
  return {
    name: 'Missing files.txt',
    modifiedAt,
    size: text.length,
    bytes: Readable.from([text]),
  };
}
