/** The subscription: what happens to file links, for those who may see them. */
import { Arg, Ctx, FieldResolver, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { Context } from '../context.js';
import { MissingPermission, NotFound } from '../contract/errors.js';
import { globalId, idOf } from '../contract/ids.js';
// A value: where decorators record types, a type of this name would be that of the DOM.
import { Event } from '../models/event.js';
import { FileLink } from '../models/file-link.js';
import { FileLinkChange } from '../models/file-link-change.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { demandOne, follow } from './changes.js';

interface Wanted {
  workPackageId?: string | null;
  fileLinkId?: string | null;
}

@Resolver(() => FileLinkChange)
export class FileLinkChangesResolver {
  @Subscription(() => FileLinkChange, {
    description:
      'Every change of the file links of a work package, or of one file link, from now on. Exactly one of the arguments names which. NOT_FOUND where it is missing or not visible, MISSING_PERMISSION where only the file links are not.',
    subscribe: ({ args, context }) => changes(context as Context, args as Wanted),
  })
  fileLinkChanged(
    @Root() event: Event,
    @Arg('workPackageId', () => ID, {
      nullable: true,
      description: 'The work package, id in either form.',
    })
    _workPackageId?: string,
    @Arg('fileLinkId', () => ID, {
      nullable: true,
      description: 'The file link, id in either form.',
    })
    _fileLinkId?: string,
  ): FileLinkChange {
    return Object.assign(new FileLinkChange(), {
      event: event.kind,
      deliveryId: event.deliveryId,
      fileLinkId: globalId('FileLink', event.subjectId),
      fileLinkDatabaseId: event.subjectId,
      workPackageId: event.containerId === null ? null : globalId('WorkPackage', event.containerId),
      reason: event.data.reason ?? null,
      createdAt: event.createdAt,
    });
  }

  @FieldResolver(() => FileLink, {
    nullable: true,
    description: 'The file link as it is by now; null where it is gone or not visible.',
  })
  async fileLink(
    @Root() { fileLinkDatabaseId }: FileLinkChange,
    @Ctx() context: Context,
  ): Promise<FileLink | null> {
    return (await find.fileLink(context, fileLinkDatabaseId)) ?? null;
  }
}

/** @throws InvalidQuery, NotFound, MissingPermission before the first event */
async function changes(
  context: Context,
  { workPackageId, fileLinkId }: Wanted,
): Promise<AsyncIterable<Event>> {
  demandOne({ workPackageId, fileLinkId });
  const isWanted = await concerning(context, workPackageId, fileLinkId);
  return follow(context, (event) => event.subjectType === 'FileLink' && isWanted(event));
}

async function concerning(
  context: Context,
  workPackageId: string | null | undefined,
  fileLinkId: string | null | undefined,
): Promise<(event: Event) => boolean> {
  if (workPackageId !== null && workPackageId !== undefined) {
    const workPackage = await find.container(
      context,
      'WorkPackage',
      idOf('WorkPackage', workPackageId),
    );
    if (!workPackage) throw new NotFound();
    if (!(await can.viewFileLinks(context, workPackage.projectId))) throw new MissingPermission();
    return (event) => event.containerId === workPackage.id;
  }
  const id = idOf('FileLink', fileLinkId!);
  if (!(await find.fileLink(context, id))) throw new NotFound();
  return (event) => event.subjectId === id;
}
