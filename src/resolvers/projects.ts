/** The lists of projects and people in the graph. */
import {
  Args,
  ArgsType,
  Ctx,
  Field,
  ID,
  InputType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { listProjects, ProjectAction } from '../actions/containers/lists/list-projects.js';
import type { Context } from '../context.js';
import { fieldWeights } from '../contract/field-weights.js';
import { MAX_SEARCH } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import { projectOrders, type ProjectOrder } from '../lists/projects.js';
import { userList, userOrders, type UserOrder } from '../lists/users.js';
import { ProjectConnection, UserConnection } from '../models/relay-connection.js';
import { idsOf } from './id-lists.js';
import { searchedConnection } from './connections.js';
import { TextFilter, TimeRange } from './list-filters.js';
import { describedOrders, PagedArgs, orderOf, ordersOf } from './list-arguments.js';
import { StorageFilter, storageOf } from './work-packages.js';

const Orders = ordersOf(projectOrders);
registerEnumType(Orders, {
  name: 'ProjectOrder',
  description:
    'Order of projects. Names are sorted without regard to case and accents. Lists of more than ' +
    '10,000 rows cannot be sorted by `createdAt`.',
  valuesConfig: describedOrders(Orders),
});

const PeopleOrders = ordersOf(userOrders);
registerEnumType(PeopleOrders, {
  name: 'UserOrder',
  description: 'Order of people. Names are sorted without regard to case and accents.',
  valuesConfig: describedOrders(PeopleOrders),
});

registerEnumType(ProjectAction, {
  name: 'ProjectAction',
  description: 'What a caller may do in a project.',
  valuesConfig: {
    CREATE_WORK_PACKAGE: { description: 'Create work packages.' },
    MANAGE_FILE_LINKS: { description: 'Create and remove file links.' },
    VIEW_FILE_LINKS: { description: 'View file links, and with them storages.' },
    VIEW_WORK_PACKAGES: { description: 'View work packages.' },
  },
});

const SEARCH =
  'Case and accents do not matter. ' +
  `At most ${withCommas(MAX_SEARCH)} characters and 10 words; error: INVALID_QUERY.`;

@InputType({ description: 'Projects by what the caller may do there.' })
export class ProjectActionFilter {
  @Field(() => [ProjectAction], { nullable: true, description: 'The caller may do all of these.' })
  all?: ProjectAction[] | null;

  @Field(() => [ProjectAction], { nullable: true, description: 'The caller may do one of these.' })
  any?: ProjectAction[] | null;

  @Field(() => [ProjectAction], { nullable: true, description: 'The caller may do none of these.' })
  none?: ProjectAction[] | null;
}

@InputType({ description: 'Projects. Members narrow the list together.' })
class ProjectFilter {
  @Field(() => String, {
    nullable: true,
    description: `Every word must be in a word of the name or the identifier. ${SEARCH}`,
  })
  search?: string | null;

  @Field(() => TextFilter, {
    nullable: true,
    description: 'Only with such a name or such an identifier.',
  })
  name?: TextFilter | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      'None of these: at most 1,000 global ids or integer ids. ' +
      'Error: INVALID_QUERY for one that is not visible.',
  })
  exceptIds?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Only public ones, or only private ones.' })
  public?: boolean | null;

  @Field(() => TimeRange, { nullable: true, description: 'Only created in this range.' })
  createdAt?: TimeRange | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      'Only these: at most 1,000 global ids or integer ids. ' +
      'Error: INVALID_QUERY for one that is not visible.',
  })
  ids?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Only active ones, or only archived ones.' })
  active?: boolean | null;

  @Field(() => StorageFilter, {
    nullable: true,
    description: 'Only projects that use the storage, in which the caller may view file links.',
  })
  storage?: StorageFilter | null;

  @Field(() => ProjectActionFilter, {
    nullable: true,
    description: 'Only projects in which the caller may do this.',
  })
  viewerCan?: ProjectActionFilter | null;
}

@ArgsType()
class ProjectArgs extends PagedArgs {
  @Field(() => ProjectFilter, { nullable: true, description: 'Only these.' })
  filter?: ProjectFilter | null;

  @Field(() => Orders, {
    defaultValue: Orders['NAME_ASC'],
    description: 'Order of the projects. The id is the second order.',
  })
  orderBy!: string;
}

@InputType({ description: 'People.' })
class UserFilter {
  @Field(() => String, {
    nullable: true,
    description: `Every word must be in a word of the name or the login. ${SEARCH}`,
  })
  search?: string | null;
}

@ArgsType()
export class UserArgs extends PagedArgs {
  @Field(() => UserFilter, { nullable: true, description: 'Only these.' })
  filter?: UserFilter | null;

  @Field(() => PeopleOrders, {
    defaultValue: PeopleOrders['NAME_ASC'],
    description: 'Order of the people. The id is the second order.',
  })
  orderBy!: string;
}

@Resolver()
export class ProjectsResolver {
  @Query(() => ProjectConnection, {
    complexity: fieldWeights.searched,
    description:
      'Returns public projects and those of which the caller is a member; administrators see ' +
      'all. Error: INVALID_QUERY.',
  })
  projects(@Args(() => ProjectArgs) args: ProjectArgs, @Ctx() context: Context) {
    const { ids, exceptIds, storage, ...filter } = args.filter ?? {};
    const query = {
      ...filter,
      ids: idsOf('Project', ids),
      exceptIds: idsOf('Project', exceptIds),
      ...(storage && { storage: storageOf(storage) }),
    };
    return searchedConnection(context, args, () =>
      listProjects(context, query, orderOf<ProjectOrder['by']>(args.orderBy)),
    );
  }

  @Query(() => UserConnection, {
    complexity: fieldWeights.searched,
    description:
      'Returns the people with whom the caller shares a project, and the caller. Administrators ' +
      'see all. Error: INVALID_QUERY.',
  })
  users(@Args(() => UserArgs) args: UserArgs, @Ctx() context: Context) {
    return searchedConnection(context, args, () =>
      userList(context, { search: args.filter?.search }, orderOf<UserOrder['by']>(args.orderBy)),
    );
  }
}
