/** Direct uploads: prepare and complete (interface 4.3). */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { completeUpload } from '../actions/uploads/complete-upload.js';
import { prepareUpload } from '../actions/uploads/prepare-upload.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { Attachment } from '../models/attachment.js';
import { AttachmentUpload } from '../models/attachment-upload.js';
import { Container, type ContainerRecord } from '../models/container.js';
import { User } from '../models/user.js';
import { optionalContainer, containerOf } from './attachment.js';

@InputType({ description: 'A digest that the uploader has computed.' })
export class DigestInput {
  @Field(() => String, { description: '`sha256`, `sha1` or `md5`.' })
  algorithm!: string;

  @Field(() => String, { description: 'Hexadecimal.' })
  hash!: string;
}

@InputType({ description: 'A file that will be uploaded straight to the store.' })
export class PrepareAttachmentUploadInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Global id of the container; absent for an attachment to be claimed later.',
  })
  containerId?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the file, 1 to 255 characters. Required: without it the answer is a PropertyConstraintViolation on `file`.',
  })
  fileName?: string | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Exact size in bytes. Required: without it the answer is a PropertyConstraintViolation on `fileSize`.',
  })
  fileSize?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Media type as the client knows it; the bytes decide in the end.',
  })
  contentType?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What there is to say about it, at most 255 characters.',
  })
  description?: string | null;

  @Field(() => DigestInput, {
    nullable: true,
    description: 'Verified when the upload is finalised; a mismatch removes the attachment.',
  })
  digest?: DigestInput | null;
}

@ObjectType({ description: 'Answer of prepareAttachmentUpload.', simpleResolvers: true })
export class PrepareAttachmentUploadPayload {
  @Field(() => AttachmentUpload, { description: 'The prepared upload, readable here only.' })
  upload!: AttachmentUpload;
}

@InputType({ description: 'The direct upload whose bytes are in the store.' })
export class CompleteAttachmentUploadInput {
  @Field(() => ID, { description: 'Id of the pending attachment, in either form.' })
  id!: string;
}

@ObjectType({ description: 'Answer of completeAttachmentUpload.', simpleResolvers: true })
export class CompleteAttachmentUploadPayload {
  @Field(() => Attachment, {
    description: 'The attachment, `prepared` until its finalisation in the background is over.',
  })
  attachment!: Attachment;
}

@Resolver(() => AttachmentUpload)
export class AttachmentUploadResolver {
  @Mutation(() => PrepareAttachmentUploadPayload, {
    description: 'Prepares a direct upload, for a container or to be claimed later.',
  })
  async prepareAttachmentUpload(
    @Arg('input', () => PrepareAttachmentUploadInput, { description: 'The file.' })
    input: PrepareAttachmentUploadInput,
    @Ctx() context: Context,
  ): Promise<PrepareAttachmentUploadPayload> {
    const { containerId, ...details } = input;
    return {
      upload: await prepareUpload(context, { container: optionalContainer(containerId), details }),
    };
  }

  @Mutation(() => CompleteAttachmentUploadPayload, {
    description:
      'Says that the bytes of a prepared upload are in the store. For its preparer only.',
  })
  async completeAttachmentUpload(
    @Arg('input', () => CompleteAttachmentUploadInput, { description: 'The upload.' })
    { id }: CompleteAttachmentUploadInput,
    @Ctx() context: Context,
  ): Promise<CompleteAttachmentUploadPayload> {
    return {
      attachment: await completeUpload(
        context,
        idOf('AttachmentUpload', id) ?? idOf('Attachment', id),
      ),
    };
  }

  @FieldResolver(() => User, { description: 'Who prepared it.' })
  author(
    @Root() { attachment }: AttachmentUpload,
    @Ctx() { loaders }: Context,
  ): User | Promise<User> {
    return loaders.users.load(attachment.authorId);
  }

  @FieldResolver(() => Container, {
    nullable: true,
    description: 'What it will belong to; null for an attachment to be claimed later.',
  })
  container(
    @Root() { attachment }: AttachmentUpload,
    @Ctx() context: Context,
  ): ContainerRecord | null | Promise<ContainerRecord | null> {
    return containerOf(attachment, context);
  }
}
