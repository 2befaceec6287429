/** Files in quarantine in the graph, for administrators. */
import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { releaseAttachment } from '../actions/files/attachments/release-attachment.js';
import type { Context } from '../context.js';
import { quarantined } from '../lists/by-creation.js';
import { idOf } from '../contract/ids.js';
import { Attachment } from '../models/attachment.js';
import { AttachmentConnection } from '../models/relay-connection.js';
import { demandAdmin } from '../policies/can.js';
import { connection } from './connections.js';
import { PagingArgs } from './list-arguments.js';
import { idOfOne, mutation } from './mutation.js';

export const quarantineMutations = [
  mutation('releaseAttachment', {
    description:
      'Releases a file from quarantine. To remove the file instead, use `deleteAttachment`. ' +
      'Errors: NOT_FOUND if the attachment is missing or not visible; ' +
      'MISSING_PERMISSION unless the caller is an administrator; ' +
      'PROPERTY_CONSTRAINT_VIOLATION if the file is not in quarantine.',
    argument: 'The attachment.',
    about: 'The file to release from quarantine.',
    input: { id: idOfOne('attachment') },
    payload: { attachment: [Attachment, 'The attachment, whose status is now `SCANNED`.'] },
    run: async ({ id }, context) => ({
      attachment: await releaseAttachment(context, idOf('Attachment', id)),
    }),
  }),
];

@Resolver()
export class QuarantineResolver {
  @Query(() => AttachmentConnection, {
    description:
      'Returns all files in quarantine, oldest first. ' +
      'Error: MISSING_PERMISSION unless the caller is an administrator.',
  })
  quarantinedAttachments(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: Context) {
    demandAdmin(context);
    return connection(context, args, quarantined);
  }
}
