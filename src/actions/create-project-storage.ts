/** Gives a project a storage. */
import { ForeignKeyViolationError, UniqueViolationError } from 'objection';
import type { Context } from '../context.js';
import { violated, type Violation } from '../errors.js';
import { ProjectFolderMode, ProjectStorage } from '../models/project-storage.js';
import { born } from '../models/record.js';
import { can, demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { storable } from './validate-details.js';

export interface NewProjectStorage {
  projectId: number | undefined;
  storageId: number | undefined;
  projectFolderMode?: ProjectFolderMode | null | undefined;
  projectFolderId?: string | null | undefined;
}

const MAX_FOLDER_ID = 255;
const TAKEN: Violation = { attribute: 'storage', message: 'Storage has already been taken.' };
const MISSING: Violation = { attribute: 'storage', message: 'Storage does not exist.' };

/** @throws NotFound for the project, MissingPermission, PropertyConstraintViolation */
export async function createProjectStorage(context: Context, { projectId, storageId, projectFolderMode, projectFolderId }: NewProjectStorage): Promise<ProjectStorage> {
  const project = await demand(await find.project(context, projectId), ({ id }) => can.administerStorages(context, id));
  const storage = await find.storage(context, storageId);
  if (!storage) throw violated([MISSING]);
  const mode = projectFolderMode ?? ProjectFolderMode.inactive;
  const violations = folderProblems(mode, projectFolderId, storage.applicationPassword !== null);
  if (violations.length > 0) throw violated(violations);
  try {
    return await ProjectStorage.query(context.db.write).insert({
      projectId: project.id, storageId: storage.id, creatorId: context.user.id, projectFolderMode: mode,
      projectFolderId: mode === ProjectFolderMode.inactive ? null : projectFolderId ?? null, ...born(context.clock().toISOString()),
    }).returning('*');
  } catch (error) {
    if (error instanceof UniqueViolationError) throw violated([TAKEN]);
    // Somebody deleted it meanwhile.
    throw error instanceof ForeignKeyViolationError ? violated([MISSING]) : error;
  }
}

function folderProblems(mode: ProjectFolderMode, folderId: string | null | undefined, managed: boolean): Violation[] {
  if (mode === ProjectFolderMode.manual && !folderId?.trim()) return [{ attribute: 'projectFolderId', message: "Project folder can't be blank." }];
  if (mode === ProjectFolderMode.automatic && !managed) return [{ attribute: 'projectFolderMode', message: 'Project folder mode automatic needs a storage with an application password.' }];
  if (folderId && (folderId.length > MAX_FOLDER_ID || !storable(folderId))) return [{ attribute: 'projectFolderId', message: 'Project folder is invalid.' }];
  return [];
}
