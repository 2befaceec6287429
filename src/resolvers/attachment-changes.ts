/** The subscription: what happens to attachments, for those who may see them. */
import { Arg, Ctx, FieldResolver, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { globalId, idOf } from '../contract/ids.js';
import { Attachment } from '../models/attachment.js';
import { AttachmentChange } from '../models/attachment-change.js';
// A value: where decorators record types, a type of this name would be that of the DOM.
import { Event } from '../models/event.js';
import { find } from '../policies/find.js';
import { optionalContainer } from './attachment.js';
import { demandOne, follow } from './changes.js';

interface Wanted {
  containerId?: string | null;
  attachmentId?: string | null;
}

@Resolver(() => AttachmentChange)
export class AttachmentChangesResolver {
  @Subscription(() => AttachmentChange, {
    description:
      'Every change of the attachments of a container, or of one attachment, from now on. Exactly one of the arguments names which. NOT_FOUND where it is missing or not visible.',
    subscribe: ({ args, context }) => changes(context as Context, args as Wanted),
  })
  attachmentChanged(
    @Root() event: Event,
    @Arg('containerId', () => ID, { nullable: true, description: 'Global id of the container.' })
    _containerId?: string,
    @Arg('attachmentId', () => ID, {
      nullable: true,
      description: 'Id of the attachment, in either form.',
    })
    _attachmentId?: string,
  ): AttachmentChange {
    return Object.assign(new AttachmentChange(), {
      event: event.kind,
      deliveryId: event.deliveryId,
      attachmentId: globalId('Attachment', event.subjectId),
      attachmentDatabaseId: event.subjectId,
      containerId:
        event.containerType && event.containerId !== null
          ? globalId(event.containerType, event.containerId)
          : null,
      reason: event.data.reason ?? null,
      createdAt: event.createdAt,
    });
  }

  @FieldResolver(() => Attachment, {
    nullable: true,
    description: 'The attachment as it is by now; null where it is gone or not visible.',
  })
  async attachment(
    @Root() { attachmentDatabaseId }: AttachmentChange,
    @Ctx() context: Context,
  ): Promise<Attachment | null> {
    return (await find.attachment(context, attachmentDatabaseId)) ?? null;
  }
}

/** @throws InvalidQuery, NotFound before the first event */
async function changes(
  context: Context,
  { containerId, attachmentId }: Wanted,
): Promise<AsyncIterable<Event>> {
  demandOne({ containerId, attachmentId });
  const isWanted = await concerning(context, containerId, attachmentId);
  return follow(context, (event) => event.subjectType === 'Attachment' && isWanted(event));
}

async function concerning(
  context: Context,
  containerId: string | null | undefined,
  attachmentId: string | null | undefined,
): Promise<(event: Event) => boolean> {
  const container = optionalContainer(containerId);
  if (container) {
    if (!(await find.container(context, container.type, container.id))) throw new NotFound();
    return (event) => event.containerType === container.type && event.containerId === container.id;
  }
  const id = idOf('Attachment', attachmentId!);
  if (!(await find.attachment(context, id))) throw new NotFound();
  return (event) => event.subjectId === id;
}
