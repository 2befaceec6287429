/** Validates the folder that a project has in a storage. */
import type { Violation } from '../../contract/errors.js';
import { ProjectFolderMode, type ProjectStorage } from '../../models/project-storage.js';
import type { Storage } from '../../models/storage.js';
import { isStorableText } from '../../contract/text-rules.js';

export interface ProjectFolder {
  mode: ProjectFolderMode;
  id: string | null | undefined;
}

const MAX_FOLDER_ID = 255;

/** @returns the columns to store, and the violations; mode `inactive` stores no folder id */
export function validateProjectFolder(
  { mode, id }: ProjectFolder,
  { applicationPassword }: Pick<Storage, 'applicationPassword'>,
): {
  columns: Pick<ProjectStorage, 'projectFolderMode' | 'projectFolderId'>;
  violations: Violation[];
} {
  return {
    columns: {
      projectFolderMode: mode,
      projectFolderId: mode === ProjectFolderMode.inactive ? null : (id ?? null),
    },
    violations: problems({ mode, id }, applicationPassword !== null),
  };
}

function problems({ mode, id }: ProjectFolder, managed: boolean): Violation[] {
  if (mode === ProjectFolderMode.manual && !id?.trim())
    return [{ attribute: 'projectFolderId', message: "Project folder can't be blank." }];
  if (mode === ProjectFolderMode.automatic && !managed)
    return [
      {
        attribute: 'projectFolderMode',
        message: 'Project folder mode automatic needs a storage with an application password.',
      },
    ];
  if (id && (id.length > MAX_FOLDER_ID || !isStorableText(id)))
    return [{ attribute: 'projectFolderId', message: 'Project folder is invalid.' }];
  return [];
}
