/** Imports a directory file that an administrator sends. */
import type { Context } from '../../../context.js';
import { PropertyConstraintViolation, UpdateConflict } from '../../../contract/errors.js';
import {
  MAX_BAD_ROWS,
  MAX_DIRECTORY_BYTES,
  MAX_DIRECTORY_PASSWORDS,
} from '../../../contract/limits.js';
import type { IncomingFile } from '../../../http/incoming-file.js';
import { demandAdmin } from '../../../policies/can.js';
import {
  BadDirectory,
  DeletedMeanwhile,
  importWithReport,
  MalformedFile,
  type BadRow,
  type ListChange,
} from '../directory/import-directory.js';
import { demandAdministrator } from '../directory/update-user.js';

interface ImportReport {
  added: ListChange[];
  changed: ListChange[];
  ended: ListChange[];
  errors: BadRow[];
  /** Of all bad rows. */
  errorCount: number;
}

/**
 * Imports all rows, or nothing if any row is bad.
 * @throws MissingPermission, PropertyConstraintViolation, UpdateConflict, Overloaded
 */
export async function importFile(
  context: Context,
  file: IncomingFile,
  dryRun: boolean,
): Promise<ImportReport> {
  demandAdmin(context);
  const releaseSlot = context.uploads.acquire(context.caller, MAX_DIRECTORY_BYTES);
  context.waits(true);
  try {
    return await imported(context, await bytesOf(file), dryRun);
  } finally {
    releaseSlot();
  }
}

async function imported(context: Context, bytes: Buffer, dryRun: boolean): Promise<ImportReport> {
  const nothing = { added: [], changed: [], ended: [] };
  try {
    const { changes } = await importWithReport(
      context,
      async function* () {
        yield bytes;
      },
      { dryRun, check: demandAdministrator },
    );
    return { ...changes, errors: [], errorCount: 0 };
  } catch (error) {
    if (error instanceof BadDirectory)
      return {
        ...nothing,
        errors: error.rows.slice(0, MAX_BAD_ROWS),
        errorCount: error.count,
      };
    if (error instanceof MalformedFile)
      return { ...nothing, errors: [{ path: '', message: error.message }], errorCount: 1 };
    if (error instanceof DeletedMeanwhile) throw new UpdateConflict();
    throw error;
  }
}

/** An import reads its file twice, so the file is kept in memory. */
async function bytesOf(file: IncomingFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (await file.open()) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_DIRECTORY_BYTES)
      throw new PropertyConstraintViolation(
        `File is too large (maximum size is ${MAX_DIRECTORY_BYTES} Bytes). ` +
          'The command `moorage import` takes larger ones.',
        'file',
      );
    chunks.push(chunk);
  }
  await file.formEnd;
  const bytes = Buffer.concat(chunks, size);
  if (bytes.toString('latin1').split('"password"').length - 1 > MAX_DIRECTORY_PASSWORDS)
    throw new PropertyConstraintViolation(
      `The file has too many passwords (maximum is ${MAX_DIRECTORY_PASSWORDS}). ` +
        'The command `moorage import` takes more.',
      'file',
    );
  return bytes;
}
