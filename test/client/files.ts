/** Files and clients for the tests of uploads in Node.js. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, MoorageError, type Upload, type UploadState } from 'moorage-client';
import { fileFrom } from 'moorage-client/node';

export const MIB = 1024 * 1024;

/** A folder with files for uploads. */
export class Files {
  readonly folder = mkdtempSync(join(process.env['MOORAGE_TEST_TMPDIR'] ?? tmpdir(), 'client-'));

  path(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  file = (name: string, content: string | Uint8Array, type = 'text/plain') =>
    fileFrom(this.path(name, content), { type });

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const clientOf = (url: string, { key }: { key: string }) =>
  createClient({ url, auth: { key } });

/** The states of an upload from now on. */
export function statesOf(upload: Upload<unknown>): UploadState[] {
  const states: UploadState[] = [upload.state];
  upload.on('state', (state) => void states.push(state));
  return states;
}

/** Resolves in this state. */
export function reached(upload: Upload<unknown>, state: UploadState): Promise<void> {
  if (upload.state === state) return Promise.resolve();
  return new Promise((resolve) => {
    const remove = upload.on('state', (now) => {
      if (now !== state) return;
      remove();
      resolve();
    });
  });
}

/** How an upload ends that does not end well. */
export async function failureOf(upload: Upload<unknown>): Promise<[string, number, string]> {
  try {
    await upload.done;
  } catch (error) {
    if (error instanceof MoorageError) return [error.code, error.status, error.message];
    throw error;
  }
  throw new Error('The upload has not failed.');
}
