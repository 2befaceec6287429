/** Projects in the graph. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { listAvailableAssignees } from '../actions/containers/lists/list-available-assignees.js';
import type { Context } from '../context.js';
import { fieldWeights } from '../contract/field-weights.js';
import { idOf, parseDatabaseId } from '../contract/ids.js';
import { ByteCount } from '../models/byte-count.js';
import { Project } from '../models/project.js';
import { StorageUsage, usageOf } from '../models/storage-usage.js';
import { Storage } from '../models/storage.js';
import { can } from '../policies/can.js';
import { User } from '../models/user.js';
import { find } from '../policies/find.js';
import { found } from './found.js';
import { counted } from './counted.js';

@Resolver(() => Project)
export class ProjectResolver {
  @Query(() => Project, {
    nullable: true,
    description:
      'Returns one project. Visible are public projects and those of which the caller is a ' +
      'member; administrators see all. Null with the error NOT_FOUND if it is missing or not visible.',
  })
  project(
    @Arg('id', () => ID, {
      nullable: true,
      description: 'Global id or integer id of the project. Required without `identifier`.',
    })
    id: string | null | undefined,
    @Arg('identifier', () => String, {
      nullable: true,
      description: 'The identifier of the project, or its integer id, instead of `id`.',
    })
    identifier: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<Project> {
    return found(
      typeof id === 'string'
        ? find.project(context, idOf('Project', id))
        : projectNamed(context, identifier ?? ''),
    );
  }

  @FieldResolver(() => Project, {
    nullable: true,
    description: 'The project above it. Null for none, and for one that the caller does not see.',
  })
  async parent(@Root() { parentId }: Project, @Ctx() context: Context): Promise<Project | null> {
    return (parentId !== null && (await context.loaders.visibleProjects.load(parentId))) || null;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether it has a parent that the caller does not see.',
  })
  async hasHiddenParent(@Root() { parentId }: Project, @Ctx() context: Context): Promise<boolean> {
    return (
      parentId !== null && (await context.loaders.visibleProjects.load(parentId)) === undefined
    );
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may view the work packages of the project.',
  })
  viewerCanViewWorkPackages(
    @Root() { id }: Project,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.viewWorkPackages(context, id);
  }

  @FieldResolver(() => [User], {
    complexity: fieldWeights.searched,
    description:
      'The people who can be the assignee of a work package there: active members, by name. ' +
      'Error: MISSING_PERMISSION if the caller may not create work packages there.',
  })
  availableAssignees(@Root() { id }: Project, @Ctx() context: Context): Promise<User[]> {
    return counted(
      context,
      () => listAvailableAssignees(context, id),
      (people) => people.length,
    );
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the caller may add storages to the project and remove them ' +
      '(`createProjectStorage`, `deleteProjectStorage`).',
  })
  viewerCanAdministerStorages(
    @Root() { id }: Project,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.administerStorages(context, id);
  }

  @FieldResolver(() => ByteCount, {
    nullable: true,
    description:
      'The most bytes that its files may have together. Null for no limit, and for callers who ' +
      'may not see `storageUsage`.',
  })
  async storageQuota(@Root() { id, storageQuota }: Project, @Ctx() context: Context) {
    return (await can.viewStorageUsage(context, id)) ? storageQuota : null;
  }

  @FieldResolver(() => StorageUsage, {
    nullable: true,
    description:
      'What its files use, also those in the trash and uploads that have not ended. Copies ' +
      'count each, previews do not. Null unless the caller is an administrator or may ' +
      'administer the storages of the project.',
  })
  async storageUsage(@Root() { id }: Project, @Ctx() context: Context) {
    return (await can.viewStorageUsage(context, id))
      ? usageOf(await context.loaders.storageUsage.load(id))
      : null;
  }

  @FieldResolver(() => ByteCount, {
    nullable: true,
    description: 'The bytes of `storageUsage`.',
  })
  async storageUsed(@Root() { id }: Project, @Ctx() context: Context) {
    return (await can.viewStorageUsage(context, id))
      ? usageOf(await context.loaders.storageUsage.load(id)).bytes
      : null;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may view the file links and the storages of the project.',
  })
  viewerCanViewFileLinks(
    @Root() { id }: Project,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.viewFileLinks(context, id);
  }

  @FieldResolver(() => [Storage], {
    description:
      'The storages that the project uses, newest first. ' +
      'Empty unless the caller may view file links in the project.',
  })
  async storages(@Root() { id }: Project, @Ctx() context: Context): Promise<Storage[]> {
    if (!(await can.viewFileLinks(context, id))) return [];
    return counted(
      context,
      () => context.loaders.storagesOfProject.load(id),
      (storages) => storages.length,
    );
  }
}

/** People write either into an address. */
const projectNamed = async (context: Context, name: string): Promise<Project | undefined> =>
  (await find.projectByIdentifier(context, name)) ?? find.project(context, parseDatabaseId(name));
