/** The health checks of project folders in a drive. */
import type { Access, HealthCheck, HealthCheckInput, HealthCheckResult } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { NOTHING_WANTED, quotedNames } from '../managed-folders.js';
import { applicationAccess } from './checks.js';
import { createAtRoot, readEntries, removeItem } from './drive-folders.js';
import { planFolders } from './plan-folders.js';

/** Makes a folder whose name no other has, and removes it. */
async function trial(
  input: HealthCheckInput,
  remove: (access: Access, id: string) => Promise<void>,
): Promise<void> {
  const access = await applicationAccess(input);
  const name = `Moorage test ${crypto.randomUUID()}`;
  await remove(access, await createAtRoot(access, name));
}

async function create(input: HealthCheckInput): Promise<HealthCheckResult> {
  try {
    // The next check says whether it could be removed.
    await trial(input, (access, id) => removeItem(access, id).catch(() => undefined));
    return { hint: 'The application can make folders.' };
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    return {
      code: 'folder_create_refused',
      hint:
        `The application cannot make folders (status ${error.status}). Grant it the application ` +
        'permission Files.ReadWrite.All or Sites.Selected with this site.',
    };
  }
}

async function remove(input: HealthCheckInput): Promise<HealthCheckResult> {
  try {
    await trial(input, removeItem);
    return { hint: 'The application can remove folders.' };
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    return {
      code: 'folder_delete_refused',
      hint:
        `The application cannot remove folders (status ${error.status}). Remove the folders ` +
        '"Moorage test …" yourself, and grant the permission to delete.',
    };
  }
}

async function unexpected(input: HealthCheckInput): Promise<HealthCheckResult> {
  const wanted = input.wanted ?? NOTHING_WANTED;
  const entries = await readEntries(await applicationAccess(input));
  const { unexpected: names } = planFolders(wanted, {
    entries,
    permissions: new Map(),
    unreadable: new Set(),
    elsewhere: new Set(),
  });
  return names.length === 0
    ? { hint: 'The root of the drive has nothing else.' }
    : { hint: `Warning: no project has these at the root of the drive: ${quotedNames(names)}.` };
}

export const folderChecks: readonly HealthCheck[] = [
  { check: 'folder_create', needs: ['drive'], run: create },
  { check: 'folder_delete', needs: ['folder_create'], run: remove },
  { check: 'folders_unexpected', needs: ['drive'], run: unexpected },
];
