import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { createAttachment } from '../actions/attachments/create-attachment.js';
import { deleteAttachment } from '../actions/attachments/delete-attachment.js';
import { signedUrl } from '../actions/attachments/sign-content.js';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { globalId, idOf, parseGlobalId } from '../contract/ids.js';
import { after, type MaybePromise } from '../concurrency/maybe-promise.js';
import { Attachment } from '../models/attachment.js';
import {
  Container,
  containerTypes,
  type ContainerRecord,
  type ContainerType,
} from '../models/container.js';
import { IncomingFile } from '../http/incoming-file.js';
import { UploadScalar } from './upload-scalar.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';

@InputType({ description: 'A file to store.' })
export class CreateAttachmentInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Global id of the container; absent for an attachment to be claimed later.',
  })
  containerId?: string | null;

  @Field(() => UploadScalar, { description: 'The content.' })
  file!: IncomingFile;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the file, 1 to 255 characters. Required: without it the answer is a PropertyConstraintViolation on `file`.',
  })
  fileName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What there is to say about it, at most 255 characters.',
  })
  description?: string | null;
}

@ObjectType({ description: 'Answer of createAttachment.', simpleResolvers: true })
export class CreateAttachmentPayload {
  @Field(() => Attachment, { description: 'The stored file.' })
  attachment!: Attachment;
}

@InputType({ description: 'The attachment to delete.' })
export class DeleteAttachmentInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;
}

@ObjectType({ description: 'Answer of deleteAttachment.', simpleResolvers: true })
export class DeleteAttachmentPayload {
  @Field(() => ID, { description: 'Global id of the attachment that is gone.' })
  deletedAttachmentId!: string;
}

@Resolver(() => Attachment)
export class AttachmentResolver {
  @Query(() => Attachment, {
    description: 'One attachment. NOT_FOUND where it is missing or not visible.',
  })
  async attachment(
    @Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Attachment> {
    const attachment = await find.attachment(context, idOf('Attachment', id));
    if (!attachment) throw new NotFound();
    return attachment;
  }

  @Mutation(() => CreateAttachmentPayload, {
    description: 'Stores a file, for a container or to be claimed later.',
  })
  async createAttachment(
    @Arg('input', () => CreateAttachmentInput, { description: 'The file.' })
    input: CreateAttachmentInput,
    @Ctx() context: Context,
  ): Promise<CreateAttachmentPayload> {
    const { containerId, file, fileName, description } = input;
    return {
      attachment: await createAttachment(context, {
        container: optionalContainer(containerId),
        file,
        details: { fileName, description },
      }),
    };
  }

  @Mutation(() => DeleteAttachmentPayload, {
    description: 'Deletes an attachment and its content.',
  })
  async deleteAttachment(
    @Arg('input', () => DeleteAttachmentInput, { description: 'The attachment.' })
    { id }: DeleteAttachmentInput,
    @Ctx() context: Context,
  ): Promise<DeleteAttachmentPayload> {
    const deleted = await deleteAttachment(context, idOf('Attachment', id));
    return { deletedAttachmentId: globalId('Attachment', deleted.id) };
  }

  @FieldResolver(() => User, { description: 'The uploader.' })
  author(@Root() { authorId }: Attachment, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(authorId);
  }

  @FieldResolver(() => Container, {
    nullable: true,
    description: 'What it belongs to; null while it is unclaimed.',
  })
  container(@Root() attachment: Attachment, @Ctx() context: Context): MaybeContainer {
    return containerOf(attachment, context);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Short-lived address of the content at the object store; null where the service itself streams it, and where the content is not to be had.',
  })
  downloadLocation(
    @Root() attachment: Attachment,
    @Ctx() context: Context,
  ): string | null | Promise<string | null> {
    return context.blobs.url ? signedUrl(context, attachment).then((url) => url ?? null) : null;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may delete it.' })
  viewerCanDelete(@Root() attachment: Attachment, @Ctx() context: Context): MaybePromise<boolean> {
    return after(containerOf(attachment, context), (row) =>
      can.deleteAttachment(context, attachment, attachment.containerRef?.type, row ?? undefined),
    );
  }
}

type MaybeContainer = MaybePromise<ContainerRecord | null>;

export function containerOf(attachment: Attachment, { loaders }: Context): MaybeContainer {
  if (attachment.knownContainer) return attachment.knownContainer;
  const ref = attachment.containerRef;
  return ref
    ? loaders.containers.load(ref).then((row) => (attachment.knownContainer = row) ?? null)
    : null;
}

/** The container that a global id names. An id of something else gives one that does not exist. */
export function containerNamed(id: string): { type: ContainerType; id: number | undefined } {
  const parsed = parseGlobalId(id);
  const type = containerTypes.find((one) => one === parsed?.type);
  return type && parsed ? { type, id: parsed.id } : { type: 'WorkPackage', id: undefined };
}

/** The same for an argument that may be left out. */
export const optionalContainer = (
  id: string | null | undefined,
): ReturnType<typeof containerNamed> | undefined =>
  id === null || id === undefined ? undefined : containerNamed(id);
