/** Direct uploads in the graph: the client sends the content to the object store itself. */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { completeUpload } from '../actions/files/uploads/complete-upload.js';
import { prepareUpload } from '../actions/files/uploads/prepare-upload.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { MAX_DESCRIPTION, MAX_FILE_NAME } from '../contract/limits.js';
import { Attachment, DigestAlgorithm } from '../models/attachment.js';
import { ByteCount } from '../models/byte-count.js';
import { AttachmentUpload } from '../models/attachment-upload.js';
import { Container, type ContainerRecord } from '../models/container.js';
import { User } from '../models/user.js';
import { ForApplications } from './for-applications.js';
import { containerOf } from './attachment.js';
import { optionalContainer } from './container-argument.js';

@InputType({ description: 'A digest of the content that the client has computed.' })
export class DigestInput {
  @Field(() => DigestAlgorithm, { nullable: true, description: 'Required. How it is computed.' })
  algorithm?: `${DigestAlgorithm}` | null;

  @Field(() => String, { description: 'The digest in hexadecimal digits.' })
  hash!: string;
}

@InputType({ description: 'A file that the client will upload to the object store itself.' })
export class PrepareAttachmentUploadInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'Global id of the container. Without it the attachment is unclaimed: ' +
      'a container can claim it later.',
  })
  containerId?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      `Required. Name of the file: 1 to ${MAX_FILE_NAME} characters, ` +
      'without path separators and control characters.',
  })
  fileName?: string | null;

  @Field(() => ByteCount, {
    nullable: true,
    description:
      'Required. Exact size in bytes. ' +
      '`configuration.maximumAttachmentFileSize` is the largest.',
  })
  fileSize?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Media type, such as `image/png`. Default: unknown. ' +
      'The service determines the final media type from the content.',
  })
  contentType?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `Description of the file, at most ${MAX_DESCRIPTION} characters. Default: empty.`,
  })
  description?: string | null;

  @Field(() => DigestInput, {
    nullable: true,
    description:
      'The service compares it with the content after the upload. ' +
      'If they differ, the attachment is deleted.',
  })
  digest?: DigestInput | null;
}

@ObjectType({ description: 'The result of `prepareAttachmentUpload`.', simpleResolvers: true })
export class PrepareAttachmentUploadPayload {
  @Field(() => AttachmentUpload, {
    description: 'The prepared upload. Its form cannot be read again.',
  })
  upload!: AttachmentUpload;
}

@InputType({ description: 'A direct upload whose content is in the object store.' })
export class CompleteAttachmentUploadInput {
  @Field(() => ID, {
    description: 'Global id of the upload, or global id or integer id of its attachment.',
  })
  id!: string;
}

@ObjectType({ description: 'The result of `completeAttachmentUpload`.', simpleResolvers: true })
export class CompleteAttachmentUploadPayload {
  @Field(() => Attachment, {
    description:
      'The attachment. Its status is `PREPARED` until the service has processed the content. ' +
      '`attachmentChanged` reports the result.',
  })
  attachment!: Attachment;
}

@Resolver(() => AttachmentUpload)
export class AttachmentUploadResolver {
  @ForApplications()
  @Mutation(() => PrepareAttachmentUploadPayload, {
    description:
      'Prepares a direct upload and returns a form for the object store. ' +
      'Send the file with the form (valid for 15 minutes by default), ' +
      'then call `completeAttachmentUpload`. ' +
      'It needs the permission of `createAttachment`; for a comment, that to write comments. ' +
      'Anonymous users cannot prepare uploads. ' +
      'Errors: NOT_FOUND if the container is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for invalid input, for too many pending uploads ' +
      '(by default 500 and 50 GiB for each user), and if direct uploads are not available ' +
      '(`configuration.directUploadAvailable`).',
  })
  async prepareAttachmentUpload(
    @Arg('input', () => PrepareAttachmentUploadInput, { description: 'The file.' })
    { containerId, ...details }: PrepareAttachmentUploadInput,
    @Ctx() context: Context,
  ): Promise<PrepareAttachmentUploadPayload> {
    const container = optionalContainer(containerId);
    return { upload: await prepareUpload(context, { container, details }) };
  }

  @ForApplications()
  @Mutation(() => CompleteAttachmentUploadPayload, {
    description:
      'Reports that the content of a direct upload is in the object store. ' +
      'The service then processes it in the background. Repeated calls have no further effect. ' +
      'Error: NOT_FOUND if the caller has no such pending upload, ' +
      'and while the content is missing or incomplete.',
  })
  async completeAttachmentUpload(
    @Arg('input', () => CompleteAttachmentUploadInput, { description: 'The upload.' })
    { id }: CompleteAttachmentUploadInput,
    @Ctx() context: Context,
  ): Promise<CompleteAttachmentUploadPayload> {
    const databaseId = idOf('AttachmentUpload', id) ?? idOf('Attachment', id);
    return { attachment: await completeUpload(context, databaseId) };
  }

  @FieldResolver(() => User, { description: 'The user who prepared the upload.' })
  author(
    @Root() { attachment }: AttachmentUpload,
    @Ctx() { loaders }: Context,
  ): User | Promise<User> {
    return loaders.users.load(attachment.authorId);
  }

  @FieldResolver(() => Container, {
    nullable: true,
    description: 'The container of the attachment. Null if it is unclaimed.',
  })
  container(
    @Root() { attachment }: AttachmentUpload,
    @Ctx() context: Context,
  ): ContainerRecord | null | Promise<ContainerRecord | null> {
    return containerOf(attachment, context);
  }
}
