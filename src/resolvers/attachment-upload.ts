/** Direct uploads in the graph: the client sends the content to the object store itself. */
import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
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
import { containerOf } from './attachment.js';
import { optionalAttachment } from '../contract/attachment-argument.js';
import { optionalContainer } from '../contract/container-argument.js';
import { inputType, mutation, optional } from './mutation.js';
import { CONTAINER_ID } from './schema-phrases.js';

const DigestInput = inputType(
  'DigestInput',
  'A digest of the content that the client has computed.',
  {
    algorithm: optional(DigestAlgorithm, 'Required. How it is computed.'),
    hash: [String, 'The digest in hexadecimal digits.'],
  },
);

export const uploadMutations = [
  mutation('prepareAttachmentUpload', {
    forApplications: true,
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
    argument: 'The file.',
    about: 'A file that the client will upload to the object store itself.',
    input: {
      containerId: optional(
        ID,
        `${CONTAINER_ID} Without it the attachment is unclaimed: ` +
          'a container can claim it later.',
      ),
      replaces: optional(
        ID,
        'Global id or integer id of an attachment that gets the new content, as with ' +
          '`replaceAttachment`. It needs the permission of that, also when the upload is complete. ' +
          'The upload then ends as deleted. Leave out `containerId` and `description`.',
      ),
      fileName: optional(
        String,
        `Required. Name of the file: 1 to ${MAX_FILE_NAME} characters, ` +
          'without path separators and control characters.',
      ),
      fileSize: optional(
        ByteCount,
        'Required. Exact size in bytes. ' +
          '`configuration.maximumAttachmentFileSize` is the largest.',
      ),
      contentType: optional(
        String,
        'Media type, such as `image/png`. Default: unknown. ' +
          'The service determines the final media type from the content.',
      ),
      description: optional(
        String,
        `Description of the file, at most ${MAX_DESCRIPTION} characters. Default: empty.`,
      ),
      digest: optional(
        DigestInput,
        'The service compares it with the content after the upload. ' +
          'If they differ, the attachment is deleted.',
      ),
    },
    payload: { upload: [AttachmentUpload, 'The prepared upload. Its form cannot be read again.'] },
    run: async ({ containerId, replaces, ...details }, context) => {
      const destination = {
        container: optionalContainer(containerId),
        replaces: optionalAttachment(replaces),
      };
      return { upload: await prepareUpload(context, { ...destination, details }) };
    },
  }),

  mutation('completeAttachmentUpload', {
    forApplications: true,
    description:
      'Reports that the content of a direct upload is in the object store. ' +
      'The service then processes it in the background. Repeated calls have no further effect. ' +
      'Error: NOT_FOUND if the caller has no such pending upload, ' +
      'and while the content is missing or incomplete.',
    argument: 'The upload.',
    about: 'A direct upload whose content is in the object store.',
    input: { id: [ID, 'Global id of the upload, or global id or integer id of its attachment.'] },
    payload: {
      attachment: [
        Attachment,
        'The attachment. Its status is `PREPARED` until the service has processed the content. ' +
          '`attachmentChanged` reports the result.',
      ],
    },
    run: async ({ id }, context) => {
      const databaseId = idOf('AttachmentUpload', id) ?? idOf('Attachment', id);
      return { attachment: await completeUpload(context, databaseId) };
    },
  }),
];

@Resolver(() => AttachmentUpload)
export class AttachmentUploadResolver {
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
