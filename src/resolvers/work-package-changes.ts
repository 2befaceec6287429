/** The subscription to all changes of what one work package holds. */
import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { Activity } from '../models/activity.js';
// Not a type import: decorators record types at run time, where `Event` would be that of the DOM.
import { Event } from '../models/event.js';
import { WorkPackageChange } from '../models/work-package-change.js';
import { find } from '../policies/find.js';
import { visibleEvents } from './changes.js';
import { found } from './found.js';

@Resolver(() => WorkPackageChange)
export class WorkPackageChangesResolver {
  @Subscription(() => WorkPackageChange, {
    description:
      'Reports each change of the attachments, file links and comments of one work package, and ' +
      'of the files in its comments. One stream is enough for a page. ' +
      'Each change is sent only to those who may see what changed. ' +
      'Changes before the subscription are not reported. ' +
      'Error: NOT_FOUND if the work package is missing or not visible.',
    subscribe: ({ args, context }) => changes(context as Context, args.workPackageId as string),
  })
  workPackageChanged(
    @Root() event: Event,
    @Arg('workPackageId', () => ID, {
      description: 'Global id or integer id of the work package.',
    })
    _workPackageId: string,
  ): WorkPackageChange {
    return changeOf(event);
  }
}

const changeOf = (event: Event): WorkPackageChange =>
  Object.assign(new WorkPackageChange(), {
    deliveryId: event.deliveryId,
    subjectId: globalId(event.subjectType, event.subjectId),
    commentId:
      event.containerType === 'Activity' && event.containerId !== null
        ? globalId('Activity', event.containerId)
        : null,
    createdAt: event.createdAt,
  });

/** @throws NotFound before the first event */
async function changes(context: Context, workPackageId: string): Promise<AsyncIterable<Event>> {
  const { id } = await found(
    find.container(context, 'WorkPackage', idOf('WorkPackage', workPackageId)),
  );
  return visibleEvents(context, async ({ subjectType, containerType, containerId, data }) => {
    if (containerId === null || subjectType === 'Notification') return false;
    if (containerType === 'WorkPackage') return containerId === id;
    if (containerType !== 'Activity') return false;
    if ('workPackageId' in data) return data.workPackageId === id;
    const comment = await find.container(context, 'Activity', containerId);
    return comment instanceof Activity && comment.workPackageId === id;
  });
}
