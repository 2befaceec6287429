/** The members of projects in the graph. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { MissingPermission } from '../contract/errors.js';
import { fieldWeights } from '../contract/field-weights.js';
import { byCreation, creationList } from '../loaders/page.js';
import { userList, type UserOrder } from '../loaders/user-list.js';
import { Membership } from '../models/membership.js';
import { Project } from '../models/project.js';
import { MembershipConnection, UserConnection } from '../models/relay-connection.js';
import { Role } from '../models/role.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { visible } from '../policies/visible.js';
import { longList, orderOf } from './long-lists.js';
import { connection, PagingArgs } from './paging.js';
import { UserArgs } from './projects.js';

const MEMBERS = 'Error: MISSING_PERMISSION unless the caller is a member or an administrator.';

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
    return longList(context, args, () =>
      userList(
        context,
        { search: args.search, memberOf: id },
        orderOf<UserOrder['by']>(args.orderBy),
      ),
    );
  }

  @FieldResolver(() => MembershipConnection, {
    complexity: fieldWeights.searched,
    description: `The memberships of the project, oldest first. ${MEMBERS}`,
  })
  async memberships(
    @Root() { id }: Project,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: Context,
  ) {
    await demandMember(context, id);
    const { user, db } = context;
    const rows = () => visible.memberships(user, db.read).where('memberships.project_id', id);
    return connection(
      context,
      args,
      (page) => byCreation<Membership>(context, creationList(rows, 'asc'), page),
      (membership) => [membership.id],
    );
  }
}

@Resolver(() => Membership)
export class MembershipResolver {
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
