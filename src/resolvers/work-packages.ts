/** The list of work packages in the graph. */
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
import {
  listProjectWorkPackages,
  listWorkPackages,
  type WorkPackageQuery,
} from '../actions/containers/lists/list-work-packages.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { fieldWeights } from '../contract/field-weights.js';
import { MAX_SEARCH } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import { workPackageOrders, type WorkPackageOrder } from '../lists/work-packages.js';
import { Project } from '../models/project.js';
import { WorkPackageConnection } from '../models/relay-connection.js';
import { can } from '../policies/can.js';
import { idsOf } from './id-lists.js';
import { searchedConnection } from './connections.js';
import { TextFilter, TimeRange } from './list-filters.js';
import { describedOrders, PagedArgs, orderOf, ordersOf } from './list-arguments.js';

const Order = ordersOf(workPackageOrders);
registerEnumType(Order, {
  name: 'WorkPackageOrder',
  description:
    'Order of work packages. Names are sorted without regard to case and accents. Lists of more ' +
    'than 10,000 rows can be sorted by `id`, `subject`, `createdAt` and `updatedAt` only.',
  valuesConfig: describedOrders(Order),
});

@InputType({ description: 'A link to a file of a storage.' })
export class LinkedFileFilter {
  @Field(() => String, { nullable: true, description: 'Id of the file at its storage.' })
  originId?: string | null;

  @Field(() => String, { nullable: true, description: 'Address of the storage.' })
  storageUrl?: string | null;

  @Field(() => ID, { nullable: true, description: 'Global id or integer id of the storage.' })
  storageId?: string | null;
}

@InputType({ description: 'A storage, by address or id. If it is unknown, no row matches.' })
export class StorageFilter {
  @Field(() => String, { nullable: true, description: 'Address of the storage.' })
  storageUrl?: string | null;

  @Field(() => ID, { nullable: true, description: 'Global id or integer id of the storage.' })
  storageId?: string | null;
}

const IDS =
  'at most 1,000 global ids or integer ids. Error: INVALID_QUERY for one that is not visible.';

@InputType({ description: 'What the work packages of a list do not have.' })
export class WorkPackageExclusion {
  @Field(() => [ID], { nullable: true, description: `Other work packages: ${IDS}` })
  ids?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Projects: ${IDS}` })
  projectIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Statuses: ${IDS}` })
  statusIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Types: ${IDS}` })
  typeIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Assignees: ${IDS}` })
  assigneeIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Responsible people: ${IDS}` })
  responsibleIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Authors: ${IDS}` })
  authorIds?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: `Projects, with all that are below them: ${IDS}`,
  })
  projectTreeIds?: string[] | null;
}

@InputType({ description: 'Work packages of a project. Members narrow the list together.' })
class ProjectWorkPackageFilter {
  @Field(() => String, {
    nullable: true,
    description:
      'A number, such as `11` or `#11`, or words. A number finds all ids that contain it. ' +
      'Every word must be in a word of subject, project, type or status. ' +
      '`open` and `closed` also find the statuses of that kind. ' +
      'Case and accents do not matter. ' +
      `At most ${withCommas(MAX_SEARCH)} characters and 10 words; error: INVALID_QUERY.`,
  })
  search?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only with this text in the subject or the description. Case and accents do not matter. ' +
      `At most ${withCommas(MAX_SEARCH)} characters; error: INVALID_QUERY.`,
  })
  text?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only with this text in the subject, or with this number as id.',
  })
  subjectOrId?: string | null;

  @Field(() => TextFilter, { nullable: true, description: 'Only with such subjects.' })
  subject?: TextFilter | null;

  @Field(() => TimeRange, { nullable: true, description: 'Only created in this range.' })
  createdAt?: TimeRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'Only changed last in this range.' })
  updatedAt?: TimeRange | null;

  @Field(() => [ID], { nullable: true, description: `Only these: ${IDS}` })
  ids?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only with these statuses: ${IDS}` })
  statusIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only of these types: ${IDS}` })
  typeIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only assigned to these people: ${IDS}` })
  assigneeIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only with these responsible people: ${IDS}` })
  responsibleIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only of these authors: ${IDS}` })
  authorIds?: string[] | null;

  @Field(() => WorkPackageExclusion, { nullable: true, description: 'Leaves work packages out.' })
  except?: WorkPackageExclusion | null;

  @Field(() => Boolean, { nullable: true, description: 'Only closed ones, or only open ones.' })
  closed?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only those with an assignee, or only those without.',
  })
  assigned?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only those with a responsible person, or only those without.',
  })
  responsible?: boolean | null;

  @Field(() => LinkedFileFilter, {
    nullable: true,
    description:
      'Only work packages with such a link, in projects that use its storage and in which the ' +
      'caller may view file links.',
  })
  fileLink?: LinkedFileFilter | null;

  @Field(() => StorageFilter, {
    nullable: true,
    description:
      'Only in projects that use the storage, and in which the caller manages file links.',
  })
  linkableTo?: StorageFilter | null;
}

@InputType({ description: 'Work packages. Members narrow the list together.' })
class WorkPackageFilter extends ProjectWorkPackageFilter {
  @Field(() => [ID], { nullable: true, description: `Only in these projects: ${IDS}` })
  projectIds?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: `Only in these projects, and all that are below them: ${IDS}`,
  })
  projectTreeIds?: string[] | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Only in this project, and all that are below it. Other filters of projects apply as well. ' +
      'Error: INVALID_QUERY for one that is not visible.',
  })
  rootProjectId?: string | null;
}

@ArgsType()
abstract class SortedArgs extends PagedArgs {
  @Field(() => [Order], {
    defaultValue: [Order['ID_ASC']],
    description: 'At most three orders. The id is always the last one.',
  })
  orderBy!: string[];
}

@ArgsType()
class WorkPackageArgs extends SortedArgs {
  @Field(() => WorkPackageFilter, { nullable: true, description: 'Only these.' })
  filter?: WorkPackageFilter | null;
}

@ArgsType()
class ProjectWorkPackageArgs extends SortedArgs {
  @Field(() => ProjectWorkPackageFilter, { nullable: true, description: 'Only these.' })
  filter?: ProjectWorkPackageFilter | null;
}

@Resolver()
export class WorkPackagesResolver {
  @Query(() => WorkPackageConnection, {
    complexity: fieldWeights.searched,
    description:
      'Returns the work packages that the caller sees. ' +
      'Errors: MISSING_PERMISSION if the caller may view work packages in no project; ' +
      'INVALID_QUERY.',
  })
  workPackages(@Args(() => WorkPackageArgs) args: WorkPackageArgs, @Ctx() context: Context) {
    const { rootProjectId: root, ...filter } = args.filter ?? {};
    const rootProjectId =
      root === undefined || root === null ? null : { id: idOf('Project', root) };
    const query = { ...queryOf(filter), rootProjectId };
    return searchedConnection(context, args, () =>
      listWorkPackages(context, query, ordersIn(args)),
    );
  }

  @Query(() => Boolean, {
    description: 'Whether the caller may create work packages in any project.',
  })
  viewerCanCreateWorkPackages(@Ctx() context: Context): Promise<boolean> {
    return can.createWorkPackagesAnywhere(context);
  }
}

@Resolver(() => Project)
export class ProjectWorkPackagesResolver {
  @FieldResolver(() => WorkPackageConnection, {
    complexity: fieldWeights.searched,
    description:
      'The work packages of the project. ' +
      'Empty unless the caller may view work packages there. Error: INVALID_QUERY.',
  })
  workPackages(
    @Root() { id }: Project,
    @Args(() => ProjectWorkPackageArgs) args: ProjectWorkPackageArgs,
    @Ctx() context: Context,
  ) {
    return searchedConnection(context, args, () =>
      listProjectWorkPackages(context, id, queryOf(args.filter ?? {}), ordersIn(args)),
    );
  }
}

const ordersIn = ({ orderBy }: SortedArgs) =>
  orderBy.map((name) => orderOf<WorkPackageOrder['by']>(name));

const queryOf = ({
  except,
  fileLink,
  linkableTo,
  ...filter
}: ProjectWorkPackageFilter): WorkPackageQuery => ({
  ...filter,
  ...keysOf(filter),
  ...(except && { except: keysOf(except) }),
  ...(fileLink && { fileLink: { originId: fileLink.originId, ...storageOf(fileLink) } }),
  ...(linkableTo && { linkableTo: storageOf(linkableTo) }),
});

const keysOf = (filter: WorkPackageExclusion) => ({
  ids: idsOf('WorkPackage', filter.ids),
  projectIds: idsOf('Project', filter.projectIds),
  projectTreeIds: idsOf('Project', filter.projectTreeIds),
  statusIds: idsOf('Status', filter.statusIds),
  typeIds: idsOf('Type', filter.typeIds),
  assigneeIds: idsOf('User', filter.assigneeIds),
  responsibleIds: idsOf('User', filter.responsibleIds),
  authorIds: idsOf('User', filter.authorIds),
});

export const storageOf = ({ storageUrl, storageId }: StorageFilter) => ({
  storageUrl,
  storageId:
    storageId === undefined || storageId === null ? null : { id: idOf('Storage', storageId) },
});
