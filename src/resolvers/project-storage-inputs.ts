/** The arguments and results of project storages. */
import { ArgsType, Field, ID, InputType, ObjectType } from 'type-graphql';
import { ProjectFolderMode, ProjectStorage } from '../models/project-storage.js';
import { PagedArgs } from './list-arguments.js';

@InputType({ description: 'Storages of projects. Members narrow the list together.' })
class ProjectStorageFilter {
  @Field(() => [ID], {
    nullable: true,
    description:
      'Only those of these projects: at most 1,000 global ids or integer ids. ' +
      'Error: INVALID_QUERY if a project is missing or not visible, or for more ids.',
  })
  projectIds?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      'Only those of these storages: at most 1,000 global ids or integer ids. ' +
      'Error: INVALID_QUERY for more.',
  })
  storageIds?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Only those of storages at these addresses (`Storage.origin`), at most 1,000. ' +
      'Error: INVALID_QUERY for more.',
  })
  storageUrls?: string[] | null;
}

@ArgsType()
export class ProjectStorageArgs extends PagedArgs {
  @Field(() => ProjectStorageFilter, { nullable: true, description: 'Only these.' })
  filter?: ProjectStorageFilter | null;
}

@InputType({ description: 'The storage to add to a project.' })
export class CreateProjectStorageInput {
  @Field(() => ID, { description: 'Global id or integer id of the project.' })
  projectId!: string;

  @Field(() => ID, { description: 'Global id or integer id of the storage.' })
  storageId!: string;

  @Field(() => ProjectFolderMode, {
    nullable: true,
    description:
      'Whether the project has its own folder in the storage. Default: `INACTIVE`. ' +
      '`AUTOMATIC` needs a storage with an application password, or a drive that allows it.',
  })
  projectFolderMode?: ProjectFolderMode | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Id of the folder in the storage, at most 255 characters. ' +
      'Required for `MANUAL`, ignored for `INACTIVE`. ' +
      'With `AUTOMATIC`, the service replaces it by the id of the folder that it makes.',
  })
  projectFolderId?: string | null;
}

@ObjectType({ description: 'The result of `createProjectStorage`.', simpleResolvers: true })
export class CreateProjectStoragePayload {
  @Field(() => ProjectStorage, { description: 'The new project storage.' })
  projectStorage!: ProjectStorage;
}

@InputType({
  description: 'Changes of a project storage. Omitted members stay unchanged.',
})
export class UpdateProjectStorageInput {
  @Field(() => ID, { description: 'Global id or integer id of the project storage.' })
  id!: string;

  @Field(() => ProjectFolderMode, {
    nullable: true,
    description:
      'Whether the project has its own folder in the storage. Null means `INACTIVE`. ' +
      '`AUTOMATIC` needs a storage with an application password, or a drive that allows it.',
  })
  projectFolderMode?: ProjectFolderMode | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Id of the folder in the storage, at most 255 characters. ' +
      'Required for `MANUAL`, ignored for `INACTIVE`. ' +
      'With `AUTOMATIC`, the service replaces it by the id of the folder that it makes.',
  })
  projectFolderId?: string | null;
}

@ObjectType({ description: 'The result of `updateProjectStorage`.', simpleResolvers: true })
export class UpdateProjectStoragePayload {
  @Field(() => ProjectStorage, { description: 'The changed project storage.' })
  projectStorage!: ProjectStorage;
}

@InputType({ description: 'The project storage to remove.' })
export class DeleteProjectStorageInput {
  @Field(() => ID, { description: 'Global id or integer id of the project storage.' })
  id!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the folder that the service made for the project is deleted too, a few seconds ' +
      'later. It needs an administrator. Default: it stays and is hidden.',
  })
  deleteFolder?: boolean | null;
}

@ObjectType({ description: 'The result of `deleteProjectStorage`.', simpleResolvers: true })
export class DeleteProjectStoragePayload {
  @Field(() => ID, { description: 'Global id of the removed project storage.' })
  deletedProjectStorageId!: string;
}
