/** Work packages in the graph: their history, and the permission to comment. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { ActivityConnection } from '../models/relay-connection.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from '../policies/can.js';
import { connection, PagingArgs } from './paging.js';

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
    return connection(
      context,
      args,
      (page) => context.loaders.activities.load({ parentId: id, ...page }),
      (activity) => [activity.id],
    );
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
