/** Validates the folder that a project has in a storage. */
import type { Violation } from '../../../contract/errors.js';
import { ProjectFolderMode, type ProjectStorage } from '../../../models/project-storage.js';
import type { Storage } from '../../../models/storage.js';
import { isStorableText } from '../../../contract/text-rules.js';
import { storageTypes } from '../../../storages/types.js';

interface ProjectFolder {
  mode: ProjectFolderMode;
  id: string | null | undefined;
  /** The folder that the service made for the project. */
  managedId?: string | null;
}

const MAX_FOLDER_ID = 255;

/** @returns the columns to store, and the violations; mode `inactive` stores no folder id */
export function validateProjectFolder(
  { mode, id, managedId = null }: ProjectFolder,
  storage: Pick<Storage, 'type' | 'canManageFolders'>,
): {
  columns: Pick<ProjectStorage, 'projectFolderMode' | 'projectFolderId'>;
  violations: Violation[];
} {
  return {
    columns: {
      projectFolderMode: mode,
      projectFolderId: folderOf(mode, id ?? null, managedId),
    },
    violations: problems({ mode, id }, storage),
  };
}

/** In the mode `automatic` the folder that the service made counts, as soon as there is one. */
const folderOf = (mode: ProjectFolderMode, given: string | null, managed: string | null) => {
  if (mode === ProjectFolderMode.INACTIVE) return null;
  return mode === ProjectFolderMode.AUTOMATIC ? (managed ?? given) : given;
};

const needs = {
  applicationPassword:
    'Project folder mode automatic needs a storage with an application password.',
  automaticallyManagedFolders:
    'Project folder mode automatic needs a storage that allows automatically managed folders.',
} as const;

function problems(
  { mode, id }: ProjectFolder,
  { type, canManageFolders }: Pick<Storage, 'type' | 'canManageFolders'>,
): Violation[] {
  if (mode === ProjectFolderMode.MANUAL && !id?.trim())
    return [{ attribute: 'projectFolderId', message: "Project folder can't be blank." }];
  if (mode === ProjectFolderMode.AUTOMATIC && !canManageFolders) {
    const need = storageTypes[type].foldersNeed ?? 'applicationPassword';
    return [{ attribute: 'projectFolderMode', message: needs[need] }];
  }
  if (id && (id.length > MAX_FOLDER_ID || !isStorableText(id)))
    return [{ attribute: 'projectFolderId', message: 'Project folder is invalid.' }];
  return [];
}
