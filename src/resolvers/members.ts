/** The members of projects in the graph. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import {
  membershipQuery,
  type MembershipFilters,
} from '../actions/containers/lists/list-memberships.js';
import type { Context } from '../context.js';
import { MissingPermission } from '../contract/errors.js';
import { fieldWeights } from '../contract/field-weights.js';
import { idOf } from '../contract/ids.js';
import { listOf } from '../lists/by-creation.js';
import { userList, type UserOrder } from '../lists/users.js';
import { Membership } from '../models/membership.js';
import { Project } from '../models/project.js';
import { MembershipConnection, UserConnection } from '../models/relay-connection.js';
import { Role } from '../models/role.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { visible } from '../policies/visible.js';
import { found } from './found.js';
import { idsOf } from './id-lists.js';
import { connection, searchedConnection } from './connections.js';
import { counted } from './counted.js';
import {
  creationOrderArgs,
  directionOf,
  orderOf,
  type CreationOrderArgs,
} from './list-arguments.js';
import { UserArgs } from './projects.js';

const MEMBERS = 'Error: MISSING_PERMISSION unless the caller is a member or an administrator.';

const VISIBLE =
  'Visible are those of projects of which the caller is a member; administrators see all.';

const IDS = 'at most 1,000 global ids or integer ids. Error: INVALID_QUERY for another value.';

@InputType({ description: 'Memberships that a list leaves out.' })
export class MembershipExclusion {
  @Field(() => [ID], { nullable: true, description: `Not in these projects: ${IDS}` })
  projectIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Not of these people: ${IDS}` })
  userIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Not with one of these roles: ${IDS}` })
  roleIds?: string[] | null;
}

const SortedMemberships = creationOrderArgs('MembershipOrder', {
  list: 'memberships',
  usual: 'idAsc',
});

@InputType({ description: 'Memberships. Members narrow the list together.' })
class MembershipFilter {
  @Field(() => [ID], { nullable: true, description: `Only in these projects: ${IDS}` })
  projectIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only of these people: ${IDS}` })
  userIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only with one of these roles: ${IDS}` })
  roleIds?: string[] | null;

  @Field(() => MembershipExclusion, { nullable: true, description: 'Leaves these out.' })
  except?: MembershipExclusion | null;
}

@ArgsType()
class MembershipArgs extends SortedMemberships {
  @Field(() => MembershipFilter, { nullable: true, description: 'Only these.' })
  filter?: MembershipFilter | null;
}

const keysOf = ({ projectIds, userIds, roleIds }: MembershipExclusion) => ({
  projectIds: idsOf('Project', projectIds),
  userIds: idsOf('User', userIds),
  roleIds: idsOf('Role', roleIds),
});

/** @throws MissingPermission */
async function demandMember(context: Context, projectId: number): Promise<void> {
  if (!(await can.viewMembers(context, projectId))) throw new MissingPermission();
}

@Resolver(() => Project)
export class ProjectMembersResolver {
  @FieldResolver(() => UserConnection, {
    complexity: fieldWeights.searched,
    description: `The members of the project. ${MEMBERS}`,
  })
  async members(
    @Root() { id }: Project,
    @Args(() => UserArgs) args: UserArgs,
    @Ctx() context: Context,
  ) {
    await demandMember(context, id);
    return searchedConnection(context, args, () =>
      userList(
        context,
        { search: args.filter?.search, memberOf: id },
        orderOf<UserOrder['by']>(args.orderBy),
      ),
    );
  }

  @FieldResolver(() => MembershipConnection, {
    complexity: fieldWeights.searched,
    description: `The memberships of the project. ${MEMBERS}`,
  })
  async memberships(
    @Root() { id }: Project,
    @Args(() => SortedMemberships) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    await demandMember(context, id);
    return membershipList(context, args, { projectIds: [id] });
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may view the members of the project.',
  })
  viewerCanViewMembers(@Root() { id }: Project, @Ctx() context: Context): Promise<boolean> {
    return can.viewMembers(context, id);
  }
}

@Resolver(() => User)
export class UserMembershipsResolver {
  @FieldResolver(() => MembershipConnection, {
    description: `The memberships of the person. ${VISIBLE}`,
  })
  memberships(
    @Root() { id }: User,
    @Args(() => SortedMemberships) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    return membershipList(context, args, { userIds: [id] });
  }
}

const membershipList = (context: Context, args: CreationOrderArgs, filters: MembershipFilters) =>
  connection(context, args, listOf(membershipQuery(context, filters), directionOf(args)));

@Resolver(() => Membership)
export class MembershipResolver {
  @Query(() => MembershipConnection, {
    description: `Returns memberships. ${VISIBLE} ` + 'Ids that are not visible match nothing.',
  })
  memberships(@Args(() => MembershipArgs) args: MembershipArgs, @Ctx() context: Context) {
    const { except, ...filter } = args.filter ?? {};
    return membershipList(context, args, {
      ...keysOf(filter),
      ...(except && { except: keysOf(except) }),
    });
  }

  @Query(() => Membership, {
    nullable: true,
    description: `Returns one membership. ${VISIBLE} Null with the error NOT_FOUND for others.`,
  })
  membership(
    @Arg('id', () => ID, { description: 'Global id or integer id of the membership.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Membership> {
    return found(find.membership(context, idOf('Membership', id)));
  }

  @FieldResolver(() => User, { description: 'The member.' })
  user(@Root() { userId }: Membership, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(userId);
  }

  @FieldResolver(() => Project, { description: 'The project.' })
  project(
    @Root() { projectId }: Membership,
    @Ctx() { loaders }: Context,
  ): Project | Promise<Project> {
    return loaders.projects.load(projectId);
  }

  @FieldResolver(() => [Role], { description: 'The roles of the member, by name.' })
  roles(@Root() { id }: Membership, @Ctx() { loaders }: Context): Promise<Role[]> {
    return loaders.membershipRoles.load(id);
  }
}

@Resolver(() => Role)
export class RoleResolver {
  @Query(() => [Role], {
    description:
      'Returns the roles that members can have, oldest first. ' +
      'Empty unless the caller is a member of a project, or an administrator.',
  })
  roles(@Ctx() context: Context): Promise<Role[]> {
    const { user, db } = context;
    return counted(
      context,
      async () => visible.roles(user, db.read).orderBy('roles.id').limit(MOST),
      (rows) => rows.length,
    );
  }

  @Query(() => Role, {
    nullable: true,
    description: 'Returns one role. Null with the error NOT_FOUND if it is not in `roles`.',
  })
  role(
    @Arg('id', () => ID, { description: 'Global id or integer id of the role.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Role> {
    return found(find.role(context, idOf('Role', id)));
  }
}

/** The directory has far fewer. */
const MOST = 1_000;
