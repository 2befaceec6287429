/** Lists of file links in the graph: those of a work package, with one request to each storage. */
import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { demandFew } from '../actions/storages/projects/list-project-storages.js';
import type { Context } from '../context.js';
import { MissingPermission } from '../contract/errors.js';
import { fieldWeights } from '../contract/field-weights.js';
import { idOf } from '../contract/ids.js';
import { MAX_SEARCH } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import { fileLinks } from '../lists/file-links.js';
import { foundFileLinks } from '../lists/found-file-links.js';
import { ConnectionOf, FileLinkConnection } from '../models/relay-connection.js';
import { FileLink } from '../models/file-link.js';
import { Storage } from '../models/storage.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from '../policies/can.js';
import { storageWithState } from './file-link.js';
import { connection, searchedConnection } from './connections.js';
import { PagedArgs } from './list-arguments.js';

enum FileLinkOrder {
  OLDEST_FIRST = 'oldestFirst',
  NEWEST_FIRST = 'newestFirst',
}
registerEnumType(FileLinkOrder, {
  name: 'FileLinkOrder',
  description: 'Order of file links.',
  valuesConfig: {
    OLDEST_FIRST: { description: 'In the order of their creation.' },
    NEWEST_FIRST: { description: 'Against the order of their creation.' },
  },
});

@InputType({ description: 'Links to files.' })
class FileLinkFilter {
  @Field(() => [ID], {
    nullable: true,
    description:
      'Only links to these storages: at most 1,000 global ids or integer ids. ' +
      'Error: INVALID_QUERY for more. Default: all storages.',
  })
  storageIds?: string[] | null;
}

@ArgsType()
class FileLinkArgs extends PagedArgs {
  @Field(() => FileLinkFilter, { nullable: true, description: 'Only these.' })
  filter?: FileLinkFilter | null;

  @Field(() => FileLinkOrder, {
    defaultValue: FileLinkOrder.OLDEST_FIRST,
    description: 'Order of the links.',
  })
  orderBy!: FileLinkOrder;
}

@Resolver(() => WorkPackage)
export class WorkPackageFileLinksResolver {
  @FieldResolver(() => FileLinkConnection, {
    description:
      'The links of the work package to files in storages. ' +
      'Links to storages that the project does not use are left out. ' +
      'Error: MISSING_PERMISSION if the caller may not view file links.',
  })
  async fileLinks(
    @Root() workPackage: WorkPackage,
    @Args(() => FileLinkArgs) { filter, orderBy, ...args }: FileLinkArgs,
    @Ctx() context: Context,
  ) {
    const storages = await prepareLinks(context, workPackage, filter?.storageIds);
    const { id, projectId } = workPackage;
    const links = await connection(context, args, fileLinks(orderBy, storages !== undefined), {
      values: { workPackage: id, project: projectId, storages },
    });
    for (const link of links.nodes) link.projectId = projectId;
    return links;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may view the file links of the work package.',
  })
  viewerCanViewFileLinks(
    @Root() { projectId }: WorkPackage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.viewFileLinks(context, projectId);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may add file links to the work package and remove them.',
  })
  viewerCanManageFileLinks(
    @Root() { projectId }: WorkPackage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.manageFileLinks(context, projectId);
  }
}

@ArgsType()
class FoundFileLinkArgs extends PagedArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'Every word must be in a word of the name, as the storage last returned it. ' +
      'Case and accents do not matter. ' +
      `At most ${withCommas(MAX_SEARCH)} characters and 10 words; error: INVALID_QUERY.`,
  })
  search?: string | null;

  @Field(() => FileLinkOrder, {
    defaultValue: FileLinkOrder.NEWEST_FIRST,
    description: 'Order of the links.',
  })
  orderBy!: FileLinkOrder;
}

@Resolver()
export class FoundFileLinksResolver {
  @Query(() => FileLinkConnection, {
    complexity: fieldWeights.filesSearched,
    description:
      'Returns the file links of all work packages that the caller sees. Unclaimed links are ' +
      'left out. The search asks no storage. Error: INVALID_QUERY.',
  })
  fileLinks(
    @Args(() => FoundFileLinkArgs) { search, orderBy, ...args }: FoundFileLinkArgs,
    @Ctx() context: Context,
  ) {
    const direction = orderBy === FileLinkOrder.OLDEST_FIRST ? 'asc' : 'desc';
    return searchedConnection(context, args, () => foundFileLinks(context, search, direction));
  }
}

@Resolver(() => FileLinkConnection)
export class FileLinkConnectionResolver {
  @FieldResolver(() => [Storage], {
    description: 'The storages of the links on this page, without duplicates.',
  })
  storages(@Root() { nodes }: ConnectionOf<FileLink>, @Ctx() context: Context): Promise<Storage[]> {
    // Reversed, so that the first link to each storage wins.
    const links = new Map([...nodes].reverse().map((link) => [link.storageId, link]));
    return Promise.all([...links.values()].map((link) => storageWithState(context, link)));
  }
}

/** @throws MissingPermission, InvalidQuery */
async function prepareLinks(
  context: Context,
  workPackage: WorkPackage,
  storageIds: readonly string[] | null | undefined,
): Promise<unknown> {
  const { id, projectId } = workPackage;
  if (!(await can.viewFileLinks(context, projectId))) throw new MissingPermission();
  // Every link has this container: it need not be read again.
  context.loaders.containers.prime({ type: 'WorkPackage', id }, workPackage);
  demandFew(storageIds, 'storageIds');
  const databaseIds = storageIds?.flatMap((storageId) => idOf('Storage', storageId) ?? []);
  return databaseIds && context.db.phrases.listOf(databaseIds);
}
