/** What administrators do about files in which the virus scan found something. */
import {
  Arg,
  Args,
  Ctx,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import { releaseAttachment } from '../actions/attachments/release-attachment.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { Attachment } from '../models/attachment.js';
import { AttachmentConnection } from '../models/connection.js';
import { demandAdmin } from '../policies/can.js';
import { connection, PagingArgs } from './paging.js';

@InputType({ description: 'The file to let out of quarantine.' })
export class ReleaseAttachmentInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;
}

@ObjectType({ description: 'Answer of releaseAttachment.', simpleResolvers: true })
export class ReleaseAttachmentPayload {
  @Field(() => Attachment, { description: 'The file, `scanned` from now on.' })
  attachment!: Attachment;
}

@Resolver()
export class QuarantineResolver {
  @Query(() => AttachmentConnection, {
    description: 'All files in quarantine, oldest first. For administrators.',
  })
  quarantinedAttachments(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: Context) {
    demandAdmin(context);
    return connection(
      context,
      args,
      (page) => context.loaders.quarantine.load(page),
      ({ id }: Attachment) => [id],
    );
  }

  @Mutation(() => ReleaseAttachmentPayload, {
    description:
      'Lets a file out of quarantine. For administrators; `deleteAttachment` removes it instead.',
  })
  async releaseAttachment(
    @Arg('input', () => ReleaseAttachmentInput, { description: 'The file.' })
    { id }: ReleaseAttachmentInput,
    @Ctx() context: Context,
  ): Promise<ReleaseAttachmentPayload> {
    return { attachment: await releaseAttachment(context, idOf('Attachment', id)) };
  }
}
