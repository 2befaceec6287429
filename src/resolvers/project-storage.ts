/** Which projects use which storages. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { createProjectStorage } from '../actions/project-storages/create-project-storage.js';
import { deleteProjectStorage } from '../actions/project-storages/delete-project-storage.js';
import { projectStorageQuery } from '../actions/project-storages/list-project-storages.js';
import { isAddressed } from '../actions/storage-access/is-configured.js';
import { storageOf } from '../actions/file-links/open-file-link.js';
import { openStorage } from '../actions/storages/open-storage.js';
import { updateProjectStorage } from '../actions/project-storages/update-project-storage.js';
import { isSwitchedOff } from '../actions/storage-access/switched-off.js';
import { answersOf } from '../actions/storage-access/shared-answers.js';
import { storageQueues } from '../actions/storage-access/storage-queues.js';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { globalId, idOf } from '../contract/ids.js';
import { byCreation } from '../loaders/page.js';
import { ProjectStorageConnection } from '../models/connection.js';
import { ProjectFolderMode, ProjectStorage } from '../models/project-storage.js';
import { Project } from '../models/project.js';
import { AuthenticationMethod, Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { connection, PagedArgs } from './paging.js';

@ArgsType()
export class ProjectStorageArgs extends PagedArgs {
  @Field(() => [ID], {
    nullable: true,
    description: 'Only of these projects, ids in either form. One that does not exist is an error.',
  })
  projectIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Only of these storages, ids in either form.' })
  storageIds?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Only of storages at these addresses.' })
  storageUrls?: string[] | null;
}

@InputType({ description: 'A storage for a project.' })
export class CreateProjectStorageInput {
  @Field(() => ID, { description: 'The project, in either form.' })
  projectId!: string;

  @Field(() => ID, { description: 'The storage, in either form.' })
  storageId!: string;

  @Field(() => ProjectFolderMode, {
    nullable: true,
    description: 'Whether the project has a folder of its own there; inactive unless given.',
  })
  projectFolderMode?: ProjectFolderMode | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of that folder in the storage; required with the mode manual.',
  })
  projectFolderId?: string | null;
}

@ObjectType({ description: 'Answer of createProjectStorage.', simpleResolvers: true })
export class CreateProjectStoragePayload {
  @Field(() => ProjectStorage, { description: 'The storage as the project uses it.' })
  projectStorage!: ProjectStorage;
}

@InputType({
  description: 'Another folder for a project in a storage. What is absent stays as it is.',
})
export class UpdateProjectStorageInput {
  @Field(() => ID, { description: 'Id of the project storage, in either form.' })
  id!: string;

  @Field(() => ProjectFolderMode, {
    nullable: true,
    description: 'Whether the project has a folder of its own there; null is inactive.',
  })
  projectFolderMode?: ProjectFolderMode | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of that folder in the storage; required with the mode manual.',
  })
  projectFolderId?: string | null;
}

@ObjectType({ description: 'Answer of updateProjectStorage.', simpleResolvers: true })
export class UpdateProjectStoragePayload {
  @Field(() => ProjectStorage, { description: 'The storage as the project uses it now.' })
  projectStorage!: ProjectStorage;
}

@InputType({ description: 'The storage to take away from its project.' })
export class DeleteProjectStorageInput {
  @Field(() => ID, { description: 'Id of the project storage, in either form.' })
  id!: string;
}

@ObjectType({ description: 'Answer of deleteProjectStorage.', simpleResolvers: true })
export class DeleteProjectStoragePayload {
  @Field(() => ID, { description: 'Global id of the project storage that is gone.' })
  deletedProjectStorageId!: string;
}

const ids = (type: string, values: string[] | null | undefined) =>
  values?.map((value) => idOf(type, value));

@Resolver(() => ProjectStorage)
export class ProjectStorageResolver {
  @Query(() => ProjectStorage, {
    description: 'One project storage. NOT_FOUND where it is missing or not visible.',
  })
  async projectStorage(
    @Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<ProjectStorage> {
    const found = await find.projectStorage(context, idOf('ProjectStorage', id));
    if (!found) throw new NotFound();
    return found;
  }

  @Query(() => ProjectStorageConnection, {
    description: 'The storages of the projects that the caller sees, newest first.',
  })
  async projectStorages(
    @Args(() => ProjectStorageArgs)
    { projectIds, storageIds, storageUrls, ...args }: ProjectStorageArgs,
    @Ctx() context: Context,
  ) {
    const rows = await projectStorageQuery(context, {
      projectIds: ids('Project', projectIds),
      storageIds: ids('Storage', storageIds),
      storageUrls: storageUrls ?? undefined,
    });
    return connection(
      context,
      args,
      (page) => byCreation<ProjectStorage>(rows, page, 'desc'),
      ({ id }) => [id],
    );
  }

  @Mutation(() => CreateProjectStoragePayload, {
    description:
      'Gives a project a storage. For administrators and those who manage the files of the project.',
  })
  async createProjectStorage(
    @Arg('input', () => CreateProjectStorageInput, { description: 'Which, and how.' })
    { projectId, storageId, ...input }: CreateProjectStorageInput,
    @Ctx() context: Context,
  ): Promise<CreateProjectStoragePayload> {
    return {
      projectStorage: await createProjectStorage(context, {
        ...input,
        projectId: idOf('Project', projectId),
        storageId: idOf('Storage', storageId),
      }),
    };
  }

  @Mutation(() => UpdateProjectStoragePayload, {
    description:
      'Changes the folder that a project has in a storage. For administrators and those who manage the files of the project.',
  })
  async updateProjectStorage(
    @Arg('input', () => UpdateProjectStorageInput, { description: 'Which, and its folder.' })
    { id, ...changes }: UpdateProjectStorageInput,
    @Ctx() context: Context,
  ): Promise<UpdateProjectStoragePayload> {
    return {
      projectStorage: await updateProjectStorage(context, idOf('ProjectStorage', id), changes),
    };
  }

  @Mutation(() => DeleteProjectStoragePayload, {
    description:
      'Takes a storage away from a project, with the file links of the project to it. For administrators and those who manage the files of the project.',
  })
  async deleteProjectStorage(
    @Arg('input', () => DeleteProjectStorageInput, { description: 'Which.' })
    { id }: DeleteProjectStorageInput,
    @Ctx() context: Context,
  ): Promise<DeleteProjectStoragePayload> {
    const deleted = await deleteProjectStorage(context, idOf('ProjectStorage', id));
    return { deletedProjectStorageId: globalId('ProjectStorage', deleted.id) };
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may change the folder that the project has there.',
  })
  viewerCanUpdate(
    @Root() { projectId }: ProjectStorage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.administerStorages(context, projectId);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may take the storage away from the project.',
  })
  viewerCanDelete(
    @Root() { projectId }: ProjectStorage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.administerStorages(context, projectId);
  }

  @FieldResolver(() => Storage, { description: 'The storage.' })
  storage(@Root() place: ProjectStorage, @Ctx() context: Context): Promise<Storage> {
    return storageOf(context, place);
  }

  @FieldResolver(() => Project, { description: 'The project.' })
  project(
    @Root() { projectId }: ProjectStorage,
    @Ctx() { loaders }: Context,
  ): Project | Promise<Project> {
    return loaders.projects.load(projectId);
  }

  @FieldResolver(() => User, { description: 'Who gave the project the storage.' })
  creator(
    @Root() { creatorId }: ProjectStorage,
    @Ctx() { loaders }: Context,
  ): User | Promise<User> {
    return loaders.users.load(creatorId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Where a browser connects the caller to the storage and then opens it; null while the storage is not configured, or its type is switched off.',
  })
  async openWithConnectionUrl(
    @Root() { id, storageId }: ProjectStorage,
    @Ctx() context: Context,
  ): Promise<string | null> {
    const { loaders, base } = context;
    const [credentials, storage] = await Promise.all([
      loaders.clientCredentials.load(storageId),
      loaders.storages.load(storageId),
    ]);
    // With single sign-on there is nothing to connect.
    if (
      !credentials ||
      !storage ||
      storage.authenticationMethod === AuthenticationMethod.OAuth2SSO ||
      !isAddressed(storage) ||
      isSwitchedOff(context, storage.type)
    )
      return null;
    const query = new URLSearchParams({
      destination_url: `${base.url}/api/v3/project_storages/${id}/open`,
      storage_id: String(storageId),
    });
    return `/oauth_clients/${encodeURIComponent(credentials.clientId)}/ensure_connection?${query.toString()}`;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Where people browse the folder of the project, or the storage where it has none; null with an error where it is not known.',
  })
  async openUrl(@Root() place: ProjectStorage, @Ctx() context: Context): Promise<string> {
    const { storageId, projectFolderId } = place;
    return context
      .once(answersOf)
      .share(['openUrl', storageId, projectFolderId ?? ''], async () => {
        const storage = await storageOf(context, place);
        return context
          .once(storageQueues)
          .turn(storageId, () => openStorage(context, storage, projectFolderId ?? undefined));
      });
  }
}
