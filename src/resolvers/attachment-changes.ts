/** The subscription to changes of attachments. */
import { Arg, Ctx, FieldResolver, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { Attachment } from '../models/attachment.js';
import { AttachmentChange } from '../models/attachment-change.js';
// Not a type import: decorators record types at run time, where `Event` would be that of the DOM.
import { Event } from '../models/event.js';
import { find } from '../policies/find.js';
import { demandOne, visibleEvents } from './changes.js';
import { containerNamed } from '../contract/container-argument.js';
import { found } from './found.js';
import { CONTAINER_ID } from './schema-phrases.js';

interface Arguments {
  containerId?: string | null;
  attachmentId?: string | null;
}

@Resolver(() => AttachmentChange)
export class AttachmentChangesResolver {
  @Subscription(() => AttachmentChange, {
    description:
      'Reports each change of the attachments of one container, or of one attachment. ' +
      'Changes before the subscription are not reported. Give exactly one argument. ' +
      'Errors: INVALID_QUERY if no argument or both are given; ' +
      'NOT_FOUND if the object is missing or not visible.',
    subscribe: ({ args, context }) => changes(context as Context, args as Arguments),
  })
  attachmentChanged(
    @Root() event: Event,
    @Arg('containerId', () => ID, { nullable: true, description: CONTAINER_ID })
    _containerId?: string,
    @Arg('attachmentId', () => ID, {
      nullable: true,
      description: 'Global id or integer id of the attachment.',
    })
    _attachmentId?: string,
  ): AttachmentChange {
    return changeOf(event);
  }

  @FieldResolver(() => Attachment, {
    nullable: true,
    description: 'The attachment in its current state. Null if it is deleted or not visible.',
  })
  async attachment(
    @Root() { attachmentDatabaseId }: AttachmentChange,
    @Ctx() context: Context,
  ): Promise<Attachment | null> {
    return (await find.attachment(context, attachmentDatabaseId)) ?? null;
  }
}

const changeOf = (event: Event): AttachmentChange =>
  Object.assign(new AttachmentChange(), {
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

/** @throws InvalidQuery, NotFound before the first event */
async function changes(
  context: Context,
  { containerId, attachmentId }: Arguments,
): Promise<AsyncIterable<Event>> {
  const [argument, id] = demandOne({ containerId, attachmentId });
  const concerns =
    argument === 'containerId' ? await inContainer(context, id) : await isAttachment(context, id);
  return visibleEvents(context, (event) => event.subjectType === 'Attachment' && concerns(event));
}

async function inContainer(context: Context, id: string): Promise<(event: Event) => boolean> {
  const { type, id: databaseId } = containerNamed(id);
  const container = await found(find.container(context, type, databaseId));
  return (event) => event.containerType === type && event.containerId === container.id;
}

async function isAttachment(context: Context, id: string): Promise<(event: Event) => boolean> {
  const attachment = await found(find.attachment(context, idOf('Attachment', id)));
  return (event) => event.subjectId === attachment.id;
}
