/** The subscription to changes of file links. */
import { Arg, Ctx, FieldResolver, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { Context } from '../context.js';
import { MissingPermission } from '../contract/errors.js';
import { globalId, idOf } from '../contract/ids.js';
// Not a type import: decorators record types at run time, where `Event` would be that of the DOM.
import { Event } from '../models/event.js';
import { FileLink } from '../models/file-link.js';
import { FileLinkChange } from '../models/file-link-change.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { demandOne, visibleEvents } from './changes.js';
import { found } from './found.js';

interface Arguments {
  workPackageId?: string | null;
  fileLinkId?: string | null;
}

@Resolver(() => FileLinkChange)
export class FileLinkChangesResolver {
  @Subscription(() => FileLinkChange, {
    description:
      'Reports each change of the file links of one work package, or of one file link. ' +
      'Changes before the subscription are not reported. Give exactly one argument. ' +
      'Errors: INVALID_QUERY if no argument or both are given; ' +
      'NOT_FOUND if the object is missing or not visible; ' +
      'MISSING_PERMISSION if the work package is visible, but not its file links.',
    subscribe: ({ args, context }) => changes(context as Context, args as Arguments),
  })
  fileLinkChanged(
    @Root() event: Event,
    @Arg('workPackageId', () => ID, {
      nullable: true,
      description: 'Global id or integer id of the work package.',
    })
    _workPackageId?: string,
    @Arg('fileLinkId', () => ID, {
      nullable: true,
      description: 'Global id or integer id of the file link.',
    })
    _fileLinkId?: string,
  ): FileLinkChange {
    return changeOf(event);
  }

  @FieldResolver(() => FileLink, {
    nullable: true,
    description: 'The file link in its current state. Null if it is removed or not visible.',
  })
  async fileLink(
    @Root() { fileLinkDatabaseId }: FileLinkChange,
    @Ctx() context: Context,
  ): Promise<FileLink | null> {
    return (await find.fileLink(context, fileLinkDatabaseId)) ?? null;
  }
}

const changeOf = (event: Event): FileLinkChange =>
  Object.assign(new FileLinkChange(), {
    event: event.kind,
    deliveryId: event.deliveryId,
    fileLinkId: globalId('FileLink', event.subjectId),
    fileLinkDatabaseId: event.subjectId,
    workPackageId: event.containerId === null ? null : globalId('WorkPackage', event.containerId),
    reason: event.data.reason ?? null,
    createdAt: event.createdAt,
  });

/** @throws InvalidQuery, NotFound, MissingPermission before the first event */
async function changes(
  context: Context,
  { workPackageId, fileLinkId }: Arguments,
): Promise<AsyncIterable<Event>> {
  const [argument, id] = demandOne({ workPackageId, fileLinkId });
  const concerns =
    argument === 'workPackageId' ? await ofWorkPackage(context, id) : await isLink(context, id);
  return visibleEvents(context, (event) => event.subjectType === 'FileLink' && concerns(event));
}

async function ofWorkPackage(context: Context, id: string): Promise<(event: Event) => boolean> {
  const { id: databaseId, projectId } = await found(
    find.container(context, 'WorkPackage', idOf('WorkPackage', id)),
  );
  if (!(await can.viewFileLinks(context, projectId))) throw new MissingPermission();
  return (event) => event.containerId === databaseId;
}

async function isLink(context: Context, id: string): Promise<(event: Event) => boolean> {
  const link = await found(find.fileLink(context, idOf('FileLink', id)));
  return (event) => event.subjectId === link.id;
}
