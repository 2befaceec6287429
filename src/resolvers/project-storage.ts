/** Project storages in the graph: which projects use which storages. */
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { createProjectStorage } from '../actions/storages/projects/create-project-storage.js';
import { deleteProjectStorage } from '../actions/storages/projects/delete-project-storage.js';
import { projectStorageQuery } from '../actions/storages/projects/list-project-storages.js';
import { openWithConnectionPath } from '../actions/storages/connections/connection-address.js';
import { storageOf } from '../actions/storages/links/open-file-link.js';
import { folderToOpen, openStorage } from '../actions/storages/settings/open-storage.js';
import { updateProjectStorage } from '../actions/storages/projects/update-project-storage.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { listOf } from '../lists/by-creation.js';
import { ProjectStorageConnection } from '../models/relay-connection.js';
import { ProjectFolderMode, ProjectStorage } from '../models/project-storage.js';
import { Project } from '../models/project.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { found } from './found.js';
import { idsOf } from './id-lists.js';
import { connection } from './connections.js';
import { ProjectStorageArgs } from './project-storage-inputs.js';
import { askOnce, inTurn } from './shared-requests.js';
import { fieldWeights } from '../contract/field-weights.js';
import { idOfOne, mutation, optional, readIfSelected } from './mutation.js';

const projectFolderId = optional(
  String,
  'Id of the folder in the storage, at most 255 characters. ' +
    'Required for `MANUAL`, ignored for `INACTIVE`. ' +
    'With `AUTOMATIC`, the service replaces it by the id of the folder that it makes.',
);

export const projectStorageMutations = [
  mutation('createProjectStorage', {
    description:
      'Adds a storage to a project. ' +
      'It needs the permission to manage the storages of the project. ' +
      'Errors: NOT_FOUND if the project is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for an invalid folder, and if the storage is missing, ' +
      'not visible, or already added; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled.',
    argument: 'The project and the storage.',
    about: 'The storage to add to a project.',
    input: {
      projectId: idOfOne('project'),
      storageId: idOfOne('storage'),
      projectFolderMode: optional(
        ProjectFolderMode,
        'Whether the project has its own folder in the storage. Default: `INACTIVE`. ' +
          '`AUTOMATIC` needs a storage with an application password, or a drive that allows it.',
      ),
      projectFolderId,
    },
    payload: { projectStorage: [ProjectStorage, 'The new project storage.'] },
    run: async ({ projectId, storageId, ...input }, context) => ({
      projectStorage: await createProjectStorage(context, {
        ...input,
        projectId: idOf('Project', projectId),
        storageId: idOf('Storage', storageId),
      }),
    }),
  }),

  mutation('updateProjectStorage', {
    description:
      'Changes the folder of a project in a storage. ' +
      'It needs the permission to manage the storages of the project. ' +
      'Errors: NOT_FOUND if the project storage is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for an invalid folder.',
    argument: 'The changes.',
    about: 'Changes of a project storage. Omitted members stay unchanged.',
    input: {
      id: idOfOne('project storage'),
      projectFolderMode: optional(
        ProjectFolderMode,
        'Whether the project has its own folder in the storage. Null means `INACTIVE`. ' +
          '`AUTOMATIC` needs a storage with an application password, or a drive that allows it.',
      ),
      projectFolderId,
    },
    payload: { projectStorage: [ProjectStorage, 'The changed project storage.'] },
    run: async ({ id, ...changes }, context) => ({
      projectStorage: await updateProjectStorage(context, idOf('ProjectStorage', id), changes),
    }),
  }),

  mutation('deleteProjectStorage', {
    description:
      'Removes a storage from a project. ' +
      'The file links of its work packages to that storage are removed too. ' +
      'A folder that the service made stays in the storage and is hidden. ' +
      'It needs the permission to manage the storages of the project. ' +
      'Errors: NOT_FOUND if the project storage is missing or not visible; MISSING_PERMISSION, ' +
      'also for `deleteFolder` by anybody but an administrator.',
    argument: 'The project storage.',
    about: 'The project storage to remove.',
    input: {
      id: idOfOne('project storage'),
      deleteFolder: optional(
        Boolean,
        'Whether the folder that the service made for the project is deleted too, a few seconds ' +
          'later. It needs an administrator. Default: it stays and is hidden.',
      ),
    },
    payload: {
      deletedProjectStorageId: [ID, 'Global id of the removed project storage.'],
      project: readIfSelected(Project, 'The project, after the removal.'),
      storage: readIfSelected(
        Storage,
        'The storage, after the removal. Null if the caller does not see it any more.',
      ),
    },
    run: async ({ id, deleteFolder }, context) => {
      const deleted = await deleteProjectStorage(context, idOf('ProjectStorage', id), {
        deleteFolder: deleteFolder ?? false,
      });
      return {
        deletedProjectStorageId: globalId('ProjectStorage', deleted.id),
        project: () => find.project(context, deleted.projectId),
        storage: () => find.storage(context, deleted.storageId),
      };
    },
  }),
];

@Resolver(() => ProjectStorage)
export class ProjectStorageResolver {
  @Query(() => ProjectStorage, {
    nullable: true,
    description:
      'Returns one project storage. Visible are those of projects whose file links the caller ' +
      'may view or whose storages the caller may administer. ' +
      'Null with the error NOT_FOUND if it is missing or not visible.',
  })
  projectStorage(
    @Arg('id', () => ID, { description: 'Global id or integer id of the project storage.' })
    id: string,
    @Ctx() context: Context,
  ): Promise<ProjectStorage> {
    return found(find.projectStorage(context, idOf('ProjectStorage', id)));
  }

  @Query(() => ProjectStorageConnection, {
    description:
      'Returns the project storages that the caller sees, newest first. ' +
      'Error: INVALID_QUERY for an invalid filter.',
  })
  async projectStorages(
    @Args(() => ProjectStorageArgs) { filter, ...args }: ProjectStorageArgs,
    @Ctx() context: Context,
  ) {
    const rows = await projectStorageQuery(context, {
      projectIds: idsOf('Project', filter?.projectIds),
      storageIds: idsOf('Storage', filter?.storageIds),
      storageUrls: filter?.storageUrls ?? undefined,
    });
    return connection(context, args, listOf(rows, 'desc'));
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may change the folder of the project in the storage.',
  })
  viewerCanUpdate(
    @Root() { projectId }: ProjectStorage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.administerStorages(context, projectId);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may remove the storage from the project.',
  })
  viewerCanDelete(
    @Root() { projectId }: ProjectStorage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.administerStorages(context, projectId);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the caller may open the folder of the project: in the mode `AUTOMATIC` that needs ' +
      'the permission `read_files`.',
  })
  viewerCanOpenFolder(
    @Root() projectStorage: ProjectStorage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.openProjectFolder(context, projectStorage);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What the service says of the folder: why it is not in step, and what to do. ' +
      'Null if there is nothing to say, and for callers who may not change the project storage.',
  })
  async projectFolderMessage(
    @Root() { projectId, projectFolderMode, folderMessage }: ProjectStorage,
    @Ctx() context: Context,
  ): Promise<string | null> {
    return projectFolderMode === ProjectFolderMode.AUTOMATIC &&
      (await can.administerStorages(context, projectId))
      ? folderMessage
      : null;
  }

  @FieldResolver(() => Storage, { description: 'The storage.' })
  storage(@Root() projectStorage: ProjectStorage, @Ctx() context: Context): Promise<Storage> {
    return storageOf(context, projectStorage);
  }

  @FieldResolver(() => Project, { description: 'The project.' })
  project(
    @Root() { projectId }: ProjectStorage,
    @Ctx() { loaders }: Context,
  ): Project | Promise<Project> {
    return loaders.projects.load(projectId);
  }

  @FieldResolver(() => User, { description: 'The user who added the storage to the project.' })
  creator(
    @Root() { creatorId }: ProjectStorage,
    @Ctx() { loaders }: Context,
  ): User | Promise<User> {
    return loaders.users.load(creatorId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Path of a page that connects the caller to the storage and then opens the storage. ' +
      'With single sign-on, there is nothing to connect, and it opens the storage at once. ' +
      'Null if the storage is not configured, or is of a disabled type.',
  })
  openWithConnectionUrl(
    @Root() projectStorage: ProjectStorage,
    @Ctx() context: Context,
  ): Promise<string | null> {
    return openWithConnectionPath(context, projectStorage);
  }

  @FieldResolver(() => String, {
    nullable: true,
    complexity: fieldWeights.asked,
    description:
      'URL that opens the folder of the project in a browser; without a folder, the storage. ' +
      'In the mode `AUTOMATIC`, the folder needs the permission `read_files`. ' +
      'A cloud drive is asked for it. ' +
      'Null with an error if it is unknown: MISSING_ENTERPRISE_TOKEN if the type of storage is ' +
      'disabled, OUTBOUND_REQUEST_NOT_FOUND if the storage does not return it.',
  })
  async openUrl(@Root() projectStorage: ProjectStorage, @Ctx() context: Context): Promise<string> {
    const folderId = await folderToOpen(context, projectStorage);
    return askOnce(context, ['openUrl', projectStorage.storageId, folderId ?? ''], () =>
      openFolder(context, projectStorage, folderId),
    );
  }
}

async function openFolder(
  context: Context,
  projectStorage: ProjectStorage,
  folderId: string | undefined,
): Promise<string> {
  const storage = await storageOf(context, projectStorage);
  return inTurn(context, storage.id, () => openStorage(context, storage, folderId));
}
