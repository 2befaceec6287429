/** Work packages in the graph: their history, and the permission to comment. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { activities } from '../lists/activities.js';
import { Formattable } from '../models/formattable.js';
import { ActivityConnection } from '../models/relay-connection.js';
import { Status } from '../models/status.js';
import { Type } from '../models/type.js';
import { User } from '../models/user.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from '../policies/can.js';
import { connection } from './connections.js';
import { PagingArgs } from './list-arguments.js';

@Resolver(() => WorkPackage)
export class WorkPackageResolver {
  @FieldResolver(() => ActivityConnection, {
    description:
      'The history of the work package, oldest first: comments and records of changes. ' +
      'Internal comments are included only if the caller may view them.',
  })
  activities(
    @Root() { id }: WorkPackage,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: Context,
  ) {
    return connection(context, args, activities, { parent: id });
  }

  @FieldResolver(() => Formattable, { description: 'What the work package is about: Markdown.' })
  description(@Root() { description }: WorkPackage): Formattable {
    return description;
  }

  @FieldResolver(() => Status, { description: 'The status of the work package.' })
  status(@Root() { statusId }: WorkPackage, @Ctx() { loaders }: Context): Status | Promise<Status> {
    return loaders.statuses.load(statusId);
  }

  @FieldResolver(() => Type, { description: 'The type of the work package.' })
  type(@Root() { typeId }: WorkPackage, @Ctx() { loaders }: Context): Type | Promise<Type> {
    return loaders.types.load(typeId);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'Who works on the work package; null for nobody.',
  })
  assignee(@Root() { assigneeId }: WorkPackage, @Ctx() { loaders }: Context) {
    return loaders.users.loadOrNull(assigneeId);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'Who is accountable for the work package; null for nobody.',
  })
  responsible(@Root() { responsibleId }: WorkPackage, @Ctx() { loaders }: Context) {
    return loaders.users.loadOrNull(responsibleId);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may comment on the work package (`createComment`).',
  })
  viewerCanComment(
    @Root() { projectId }: WorkPackage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.comment(context, projectId, false);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may write internal comments on the work package.',
  })
  viewerCanCommentInternally(
    @Root() { projectId }: WorkPackage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.comment(context, projectId, true);
  }
}
