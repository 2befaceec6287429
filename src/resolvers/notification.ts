/** Notifications in the graph. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { addedFilesOf } from '../actions/containers/notifications/added-files.js';
import {
  groupNotifications,
  NotificationColumn,
} from '../actions/containers/notifications/group-notifications.js';
import {
  checkedNotificationFilter,
  type NotificationQuery,
} from '../actions/containers/notifications/list-notifications.js';
import { markNotifications } from '../actions/containers/notifications/mark-notifications.js';
import { mapIterator, SKIP } from '../concurrency/map-iterator.js';
import type { Context } from '../context.js';
import { MissingPermission } from '../contract/errors.js';
import { fieldWeights } from '../contract/field-weights.js';
import { idOf } from '../contract/ids.js';
import {
  notificationList,
  notificationOrders,
  type NotificationOrder,
} from '../lists/notifications.js';
import { Activity } from '../models/activity.js';
import { AddedFiles } from '../models/added-files.js';
import { Notification, NotificationReason } from '../models/notification.js';
import { Project } from '../models/project.js';
import { NotificationConnection } from '../models/relay-connection.js';
import { User } from '../models/user.js';
import { WorkPackage } from '../models/work-package.js';
import { demandOwn } from '../policies/can.js';
import { find } from '../policies/find.js';
import { found } from './found.js';
import { idsOf } from './id-lists.js';
import { searchedConnection } from './connections.js';
import { counted } from './counted.js';
import { describedOrders, PagedArgs, orderOf, ordersOf } from './list-arguments.js';
import { OWN } from './schema-phrases.js';
import { byDefault, mutation, optional } from './mutation.js';

const Order = ordersOf(notificationOrders);
registerEnumType(Order, {
  name: 'NotificationOrder',
  description:
    'Order of notifications. Lists of more than 10,000 rows can be sorted by `id` only. ' +
    '`read` sorts unread ones first if it is ascending.',
  valuesConfig: describedOrders(Order),
});
registerEnumType(NotificationColumn, {
  name: 'NotificationColumn',
  description: 'What notifications are counted by.',
  valuesConfig: {
    REASON: { description: 'By their reason.' },
    PROJECT: { description: 'By the project of the work package.' },
  },
});

const IDS =
  'at most 1,000 global ids or integer ids. Error: INVALID_QUERY for one that is not visible.';

@InputType({
  description: 'Notifications of the caller. Members narrow the list together.',
})
export class NotificationFilter {
  @Field(() => [ID], { nullable: true, description: `Only these: ${IDS}` })
  ids?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only about these work packages: ${IDS}` })
  workPackageIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only in these projects: ${IDS}` })
  projectIds?: string[] | null;

  @Field(() => [NotificationReason], { nullable: true, description: 'Only with these reasons.' })
  reasons?: NotificationReason[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Only unread ones, or only read ones.' })
  unread?: boolean | null;
}

@ArgsType()
export class NotificationArgs extends PagedArgs {
  @Field(() => NotificationFilter, { nullable: true, description: 'Only these.' })
  filter?: NotificationFilter | null;

  @Field(() => [Order], {
    defaultValue: [Order['ID_DESC']],
    description: 'The orders. The id is always the last one.',
  })
  orderBy!: string[];
}

@ObjectType({ description: 'Notifications with the same reason or project.' })
export class NotificationGroup {
  @Field(() => Int, { description: 'Number of notifications.' })
  count!: number;

  @Field(() => NotificationReason, {
    nullable: true,
    description: 'Their reason; null if they are counted by project.',
  })
  reason!: NotificationReason | null;

  projectId!: number | null;
}

@Resolver(() => NotificationGroup)
export class NotificationGroupResolver {
  @FieldResolver(() => Project, {
    nullable: true,
    description: 'Their project; null if they are counted by reason.',
  })
  project(@Root() { projectId }: NotificationGroup, @Ctx() { loaders }: Context) {
    return loaders.projects.loadOrNull(projectId);
  }
}

export const notificationMutations = [
  mutation('markNotificationsRead', {
    forApplications: true,
    description:
      'Marks notifications of the caller as read, or as unread. ' +
      'Errors: MISSING_PERMISSION for anonymous callers; INVALID_QUERY for ids that are not ' +
      'visible: then nothing changes, and for more than six of these in one document.',
    argument: 'What to mark.',
    about: 'What to mark.',
    input: {
      filter: optional(NotificationFilter, 'Only these. Default: all notifications of the caller.'),
      read: byDefault(true, Boolean, 'False marks them as unread.'),
    },
    payload: { changed: [Int, 'Number of notifications that changed.'] },
    run: async ({ filter, read }, context) => ({
      changed: await markNotifications(context, queryOf(filter), read),
    }),
  }),
];

const queryOf = (filter: NotificationFilter | null | undefined): NotificationQuery => ({
  ids: idsOf('Notification', filter?.ids),
  workPackageIds: idsOf('WorkPackage', filter?.workPackageIds),
  projectIds: idsOf('Project', filter?.projectIds),
  reasons: filter?.reasons,
  unread: filter?.unread,
});

@Resolver(() => User)
export class UserNotificationsResolver {
  @FieldResolver(() => NotificationConnection, {
    complexity: fieldWeights.searched,
    description: `Notifications about work packages that the caller still sees. ${OWN}`,
  })
  notifications(
    @Root() user: User,
    @Args(() => NotificationArgs) args: NotificationArgs,
    @Ctx() context: Context,
  ) {
    demandOwn(context, user);
    const orders = args.orderBy.map((name) => orderOf<NotificationOrder['by']>(name));
    return searchedConnection(context, args, async () =>
      notificationList(
        context,
        await checkedNotificationFilter(context, queryOf(args.filter)),
        orders,
      ),
    );
  }

  @FieldResolver(() => [NotificationGroup], {
    complexity: fieldWeights.searched,
    description: `Counts the newest 10,000 of these notifications by one column. ${OWN}`,
  })
  async notificationGroups(
    @Root() user: User,
    @Arg('by', () => NotificationColumn, { description: 'The column.' }) by: NotificationColumn,
    @Arg('filter', () => NotificationFilter, { nullable: true, description: 'Only these.' })
    filter: NotificationFilter | null,
    @Ctx() context: Context,
  ): Promise<NotificationGroup[]> {
    demandOwn(context, user);
    const read = () => groupNotifications(context, queryOf(filter), by);
    const groups = await counted(context, read, ({ length }) => length);
    return groups.map(({ value, count }) => ({
      count,
      reason: by === NotificationColumn.REASON ? (value as NotificationReason) : null,
      projectId: by === NotificationColumn.PROJECT ? Number(value) : null,
    }));
  }
}

@Resolver(() => Notification)
export class NotificationResolver {
  @Query(() => Notification, {
    nullable: true,
    description:
      'Returns one notification of the caller. Null with the error NOT_FOUND if it is missing, ' +
      "another person's, or about a work package that the caller no longer sees.",
  })
  notification(
    @Arg('id', () => ID, { description: 'Global id or integer id of the notification.' })
    id: string,
    @Ctx() context: Context,
  ): Promise<Notification> {
    return found(find.notification(context, idOf('Notification', id)));
  }

  @Subscription(() => Notification, {
    description:
      'Reports each new notification of the caller, and each one that gets further files. ' +
      'Those before the subscription are not reported. ' +
      'Error: MISSING_PERMISSION for anonymous callers.',
    subscribe: ({ context }) => received(context as Context),
  })
  notificationReceived(@Root() notification: Notification): Notification {
    return notification;
  }

  @FieldResolver(() => WorkPackage, { description: 'The work package that got the files.' })
  workPackage(@Root() { workPackageId }: Notification, @Ctx() { loaders }: Context) {
    return found(loaders.containers.load({ type: 'WorkPackage', id: workPackageId }));
  }

  @FieldResolver(() => User, { description: 'Who added the files.' })
  actor(@Root() { actorId }: Notification, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(actorId);
  }

  @FieldResolver(() => AddedFiles, {
    complexity: fieldWeights.searched,
    description:
      'The files that were added within five minutes. File links are among them only if the ' +
      'caller may view file links.',
  })
  addedFiles(@Root() notification: Notification, @Ctx() context: Context): Promise<AddedFiles> {
    return addedFilesOf(context, notification);
  }

  @FieldResolver(() => Activity, {
    nullable: true,
    description:
      'The comment with the files, or the entry of the history that lists the last of them. ' +
      'Null if the comment is deleted, or if the caller no longer sees it.',
  })
  activity(@Root() { activityId }: Notification, @Ctx() { loaders }: Context) {
    return activityId === null
      ? null
      : loaders.containers.load({ type: 'Activity', id: activityId });
  }
}

/** @throws MissingPermission before the first one */
async function received(context: Context): Promise<AsyncIterable<Notification>> {
  const { user } = context;
  if (user.anonymous) throw new MissingPermission();
  return mapIterator(await context.events.subscribe(), async (event) => {
    if (event.subjectType !== 'Notification' || event.authorId !== user.id) return SKIP;
    const current = (await context.renew?.()) ?? context;
    return (await find.notification(current, event.subjectId)) ?? SKIP;
  });
}
