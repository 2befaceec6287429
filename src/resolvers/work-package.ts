import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { ActivityConnection } from '../models/connection.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from '../policies/can.js';
import { connection, PagingArgs } from './paging.js';

@Resolver(() => WorkPackage)
export class WorkPackageResolver {
  @FieldResolver(() => ActivityConnection, { description: 'Its history, oldest first.' })
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

  @FieldResolver(() => Boolean, { description: 'Whether the caller may comment on it.' })
  viewerCanComment(
    @Root() { projectId }: WorkPackage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.comment(context, projectId, false);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may write an internal comment on it.',
  })
  viewerCanCommentInternally(
    @Root() { projectId }: WorkPackage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.comment(context, projectId, true);
  }
}
