/** Attachments in the graph: reading, uploading through the service, deleting. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { contentAddress } from '../actions/files/attachments/content-address.js';
import { createAttachment } from '../actions/files/attachments/create-attachment.js';
import { deleteAttachment } from '../actions/files/attachments/delete-attachments.js';
import { replaceAttachment } from '../actions/files/attachments/replace-attachment.js';
import { updateAttachment } from '../actions/files/attachments/update-attachment.js';
import { signedUrl } from '../actions/files/attachments/sign-content.js';
import type { Context } from '../context.js';
import { fieldWeights } from '../contract/field-weights.js';
import { globalId, idOf } from '../contract/ids.js';
import { thenMaybe, type MaybePromise } from '../concurrency/maybe-promise.js';
import { MAX_DESCRIPTION, MAX_FILE_NAME } from '../contract/limits.js';
import { Attachment } from '../models/attachment.js';
import { Container, type ContainerRecord } from '../models/container.js';
import { ContentDisposition, TemporaryAddress } from '../models/temporary-address.js';
import { UploadScalar } from './upload-scalar.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { optionalContainer } from '../contract/container-argument.js';
import { found } from './found.js';
import { CONTAINER_ID } from './schema-phrases.js';
import { idOfOne, mutation, optional, readIfSelected } from './mutation.js';

export const attachmentMutations = [
  mutation('createAttachment', {
    forApplications: true,
    description:
      'Uploads a file in a multipart request, and attaches it to a container if one is given. ' +
      'Without a container, it needs permission to attach files in any project; ' +
      'anonymous users cannot. ' +
      'Errors: NOT_FOUND if the container is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for an invalid name or description, ' +
      'a file that is too large, or a media type that is not allowed; ' +
      'SERVICE_UNAVAILABLE if too many uploads run at the same time (128 for each user), ' +
      'or if the upload was interrupted.',
    argument: 'The file.',
    about: 'A file to upload through the service.',
    input: {
      containerId: optional(
        ID,
        `${CONTAINER_ID} Without it, the attachment is unclaimed: ` +
          'only the caller sees it. It is deleted if no container claims it in time ' +
          '(after 3 hours by default).',
      ),
      file: [
        UploadScalar,
        'The content. `configuration.maximumAttachmentFileSize` is the largest size in bytes.',
      ],
      fileName: optional(
        String,
        `Required. Name of the file: 1 to ${MAX_FILE_NAME} characters, ` +
          'without path separators and control characters.',
      ),
      description: optional(
        String,
        `Description of the file, at most ${MAX_DESCRIPTION} characters. Default: empty.`,
      ),
      uploadKey: optional(
        String,
        'Chosen by the client: 1 to 64 visible ASCII characters, other ones for each file. ' +
          'Whoever repeats an upload with its key gets the attachment that the first one stored. ' +
          'If that one is not stored yet, the repeated upload replaces it. ' +
          'It has no effect for anonymous users.',
      ),
    },
    payload: { attachment: [Attachment, 'The new attachment.'] },
    run: async ({ containerId, file, uploadKey, ...details }, context) => {
      const container = optionalContainer(containerId);
      return {
        attachment: await createAttachment(context, { container, file, details, uploadKey }),
      };
    },
  }),

  mutation('updateAttachment', {
    forApplications: true,
    description:
      'Changes the name and the description of an attachment. ' +
      'It needs the same permission as `deleteAttachment`. ' +
      'The history of a work package records it, and webhooks receive `attachment:updated`. ' +
      'Errors: NOT_FOUND if it is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for an invalid name or description, ' +
      'or for a media type that is not allowed: the name is one of its signs.',
    argument: 'The changes.',
    about: 'Changes of an attachment. Omitted members stay unchanged.',
    input: {
      id: idOfOne('attachment'),
      fileName: optional(
        String,
        `New name of the file: 1 to ${MAX_FILE_NAME} characters, ` +
          'without path separators and control characters.',
      ),
      description: optional(
        String,
        `Description of the file, at most ${MAX_DESCRIPTION} characters. ` +
          'Null or an empty text removes it.',
      ),
    },
    payload: { attachment: [Attachment, 'The changed attachment.'] },
    run: async ({ id, ...changes }, context) => ({
      attachment: await updateAttachment(context, idOf('Attachment', id), changes),
    }),
  }),

  mutation('replaceAttachment', {
    forApplications: true,
    description:
      'Uploads a new content for an attachment in a multipart request. ' +
      'The attachment keeps its id, its description and its author. ' +
      'The former content goes to the trash for `TRASH_DAYS`. ' +
      'It needs the same permission as `deleteAttachment`. ' +
      'Errors: NOT_FOUND if it is missing or not visible; ' +
      'MISSING_PERMISSION, also for a file in quarantine; the others of `createAttachment`.',
    argument: 'The attachment, and the file.',
    about: 'A new content of an attachment.',
    input: {
      id: idOfOne('attachment'),
      file: [UploadScalar, 'The new content.'],
      fileName: optional(
        String,
        `New name: 1 to ${MAX_FILE_NAME} characters, without path separators and control ` +
          'characters. Default: the name of the file in the request.',
      ),
    },
    payload: { attachment: [Attachment, 'The attachment with its new content.'] },
    run: async ({ id, file, fileName }, context) => ({
      attachment: await replaceAttachment(context, {
        id: idOf('Attachment', id),
        file,
        fileName,
      }),
    }),
  }),

  mutation('deleteAttachment', {
    forApplications: true,
    description:
      'Deletes an attachment. Its content stays in the trash for `TRASH_DAYS`, ' +
      'or is removed at once. ' +
      'It needs the permission to edit the container; an unclaimed attachment belongs to its ' +
      'author. Administrators may delete files in quarantine. ' +
      'Errors: NOT_FOUND if it is missing or not visible; MISSING_PERMISSION.',
    argument: 'The attachment.',
    about: 'The attachment to delete.',
    input: { id: idOfOne('attachment') },
    payload: {
      deletedAttachmentId: [ID, 'Global id of the deleted attachment.'],
      container: readIfSelected(
        Container,
        'The container that it belonged to, after the deletion. ' +
          'Null if it was unclaimed, or if the caller does not see the container.',
      ),
    },
    run: async ({ id }, context) => {
      const deleted = await deleteAttachment(context, idOf('Attachment', id));
      const ref = deleted.containerRef;
      return {
        deletedAttachmentId: globalId('Attachment', deleted.id),
        container: () => ref && find.container(context, ref.type, ref.id),
      };
    },
  }),
];

@Resolver(() => Attachment)
export class AttachmentResolver {
  @Query(() => Attachment, {
    nullable: true,
    description:
      'Returns one attachment. Null with the error NOT_FOUND if it is missing or not visible. ' +
      'An unclaimed or prepared attachment is visible only to its author.',
  })
  attachment(
    @Arg('id', () => ID, { description: 'Global id or integer id of the attachment.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Attachment> {
    return found(find.attachment(context, idOf('Attachment', id)));
  }

  @FieldResolver(() => User, { description: 'The user who uploaded the file.' })
  author(@Root() { authorId }: Attachment, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(authorId);
  }

  @FieldResolver(() => Container, {
    nullable: true,
    description: 'The container that the attachment belongs to. Null while it is unclaimed.',
  })
  container(@Root() attachment: Attachment, @Ctx() context: Context): MaybeContainer {
    return containerOf(attachment, context);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The key that its author gave to `createAttachment`. Null for everybody else.',
  })
  uploadKey(@Root() { authorId, uploadKey }: Attachment, @Ctx() { user }: Context): string | null {
    return authorId === user.id ? uploadKey : null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    complexity: fieldWeights.signed,
    description:
      'Short-lived URL of the content at the object store (valid for 5 minutes by default). ' +
      'Null if the service delivers the content itself. ' +
      'Null if the caller may not download it (prepared, in quarantine, or not scanned yet).',
  })
  downloadLocation(
    @Root() attachment: Attachment,
    @Ctx() context: Context,
  ): string | null | Promise<string | null> {
    return context.blobs.url ? signedUrl(context, attachment).then((url) => url ?? null) : null;
  }

  @FieldResolver(() => TemporaryAddress, {
    nullable: true,
    complexity: fieldWeights.signed,
    description:
      'An address of the content for pages of other origins: a picture, a link or a download ' +
      'sends no credentials. At this service, it gives the permissions that the caller has then. ' +
      'Null if the caller may not download it (prepared, in quarantine, or not scanned yet).',
  })
  contentAddress(
    @Root() attachment: Attachment,
    @Arg('disposition', () => ContentDisposition, {
      defaultValue: ContentDisposition.INLINE,
      description: 'What a browser does with the file.',
    })
    disposition: ContentDisposition,
    @Ctx() context: Context,
  ): Promise<TemporaryAddress | null> {
    return contentAddress(context, attachment, disposition);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may change the attachment (`updateAttachment`).',
  })
  viewerCanUpdate(@Root() attachment: Attachment, @Ctx() context: Context): MaybePromise<boolean> {
    return this.viewerCanDelete(attachment, context);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What the virus scan found, or why the file could not be scanned. ' +
      'Null for everybody but administrators.',
  })
  scanNote(@Root() { scanNote }: Attachment, @Ctx() context: Context): string | null {
    return can.administer(context) ? scanNote : null;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may delete the attachment.' })
  viewerCanDelete(@Root() attachment: Attachment, @Ctx() context: Context): MaybePromise<boolean> {
    return thenMaybe(containerOf(attachment, context), (row) =>
      can.deleteAttachment(context, attachment, attachment.containerRef?.type, row ?? undefined),
    );
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the caller may move the attachment (`moveAttachments`) ' +
      'and replace its content (`replaceAttachment`).',
  })
  viewerCanMove(@Root() attachment: Attachment, @Ctx() context: Context): MaybePromise<boolean> {
    return can.exchange(attachment) && this.viewerCanDelete(attachment, context);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may download the attachment and copy it (`copyAttachments`).',
  })
  viewerCanDownload(@Root() attachment: Attachment, @Ctx() context: Context): boolean {
    return can.download(context, attachment);
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
