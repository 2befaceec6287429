/** The files of the caller in the graph: the latest ones, and uploads that are not finished. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { QueryBuilder } from 'objection';
import { PENDING } from '../actions/files/attachments/check-pending-uploads.js';
import type { Context } from '../context.js';
import { formExpiry } from '../contract/unclaimed-until.js';
import { withCommas } from '../contract/words.js';
import { listOf } from '../lists/by-creation.js';
import { Attachment, AttachmentStatus } from '../models/attachment.js';
import { ByteCount } from '../models/byte-count.js';
import { DateTime } from '../models/date-time.js';
import { AttachmentConnection } from '../models/relay-connection.js';
import { User } from '../models/user.js';
import { demandOwn } from '../policies/can.js';
import { visible } from '../policies/visible.js';
import { OWN } from './schema-phrases.js';
import { connection } from './connections.js';
import { creationOrderArgs, directionOf, type CreationOrderArgs } from './list-arguments.js';

const SortedRecentFiles = creationOrderArgs('RecentAttachmentOrder', {
  list: 'recent files',
  usual: 'idDesc',
});
const SortedPendingUploads = creationOrderArgs('PendingUploadOrder', {
  list: 'pending uploads',
  usual: 'idDesc',
});

/** More would make a search among all files that a user ever uploaded. */
const RECENT = 1_000;

@Resolver(() => User)
export class ViewerFilesResolver {
  @FieldResolver(() => AttachmentConnection, {
    description:
      `The newest ${withCommas(RECENT)} files that the caller uploaded. ` +
      'Those that the caller no longer sees, and prepared uploads, are left out. ' +
      OWN,
  })
  recentAttachments(
    @Root() user: User,
    @Args(() => SortedRecentFiles) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    return own(context, user, args, (rows, author) =>
      rows
        .whereRaw("attachments.status <> 'prepared'")
        .whereRaw(
          'attachments.id in (select newest.id from attachments as newest' +
            ' where newest.author_id = ? order by newest.id desc limit ?)',
          [author, RECENT],
        ),
    );
  }

  @FieldResolver(() => AttachmentConnection, {
    description:
      "The caller's uploads that are not completed. " +
      'Complete direct uploads with `completeAttachmentUpload`. ' +
      'The last byte completes a resumable one, at `/uploads/{databaseId}`. ' +
      '`deleteAttachment` gives an upload up. ' +
      OWN,
  })
  pendingUploads(
    @Root() user: User,
    @Args(() => SortedPendingUploads) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    return own(context, user, args, (rows, author) =>
      rows
        .where('attachments.author_id', author)
        .whereRaw(PENDING)
        .whereRaw("attachments.status = 'prepared'")
        .whereNull('attachments.lease_until'),
    );
  }
}

@Resolver(() => Attachment)
export class PreparedAttachmentResolver {
  @FieldResolver(() => ByteCount, {
    nullable: true,
    description:
      'How many bytes of a resumable upload have arrived. ' +
      'Null for another attachment, and when the upload is completed.',
  })
  async bytesReceived(
    @Root() { id, status, leaseUntil }: Attachment,
    @Ctx() { loaders }: Context,
  ): Promise<number | null> {
    if (status !== AttachmentStatus.PREPARED || leaseUntil !== null) return null;
    return (await loaders.resumableUploads.load(id))?.receivedBytes ?? null;
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'When the form of the prepared direct upload expires. ' +
      'Null for an attachment whose upload is completed.',
  })
  uploadFormExpiresAt(
    @Root() { status, leaseUntil, createdAt }: Attachment,
    @Ctx() { settings }: Context,
  ): string | null {
    return status === AttachmentStatus.PREPARED && leaseUntil === null
      ? formExpiry(createdAt, settings)
      : null;
  }
}

const own = (
  context: Context,
  owner: User,
  args: CreationOrderArgs,
  narrow: (rows: QueryBuilder<Attachment>, author: number) => QueryBuilder<Attachment>,
) => {
  demandOwn(context, owner);
  const { user, db } = context;
  const rows = () => narrow(visible.attachments(user, db.read), user.id);
  return connection(context, args, listOf(rows, directionOf(args)));
};
