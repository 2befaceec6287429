/** The trash in the graph: what is in it, restoring and emptying. */
import { Args, Ctx, FieldResolver, ID, Int, Resolver, Root } from 'type-graphql';
import { demandFew } from '../actions/files/attachments/chosen-attachments.js';
import { restoreAttachments } from '../actions/files/attachments/restore-attachments.js';
import { emptyTrash } from '../actions/files/attachments/empty-trash.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { MAX_CHANGED_ATTACHMENTS } from '../contract/limits.js';
import { deletedInContainer, deletedInProject } from '../lists/deleted-attachments.js';
import { Attachment } from '../models/attachment.js';
import { Container, type ContainerRecord, type ContainerType } from '../models/container.js';
import { DeletedAttachment } from '../models/deleted-attachment.js';
import { Project } from '../models/project.js';
import { DeletedAttachmentConnection } from '../models/relay-connection.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { connection } from './connections.js';
import { idsOf } from './id-lists.js';
import { PagingArgs } from './list-arguments.js';
import { idOfOne, mutation } from './mutation.js';

export const trashMutations = [
  mutation('restoreAttachments', {
    forApplications: true,
    description:
      'Restores files from the trash, with their ids: all or none. ' +
      'It needs the permission that their deletion needed. ' +
      'Errors: INVALID_QUERY for too many ids; NOT_FOUND if one is not in the trash, ' +
      'or if the caller may not restore it; ' +
      'PROPERTY_CONSTRAINT_VIOLATION if a container would have too many files.',
    argument: 'The files.',
    about: 'Files to restore.',
    input: {
      ids: [
        [ID],
        `Global ids or integer ids of deleted attachments, 1 to ${MAX_CHANGED_ATTACHMENTS}.`,
      ],
    },
    payload: { attachments: [[Attachment], 'The restored files, in the order of the ids.'] },
    run: async ({ ids }, context) => ({
      attachments: await restoreAttachments(context, demandFew(idsOf('Attachment', ids) ?? [])),
    }),
  }),

  mutation('emptyTrash', {
    description:
      'Removes all files in the trash of a project for good. ' +
      'Errors: NOT_FOUND if the project is missing or not visible; ' +
      'MISSING_PERMISSION unless the caller is an administrator.',
    argument: 'The project.',
    about: 'The project whose trash is emptied.',
    input: { projectId: idOfOne('project') },
    payload: { removed: [Int, 'The number of files.'] },
    run: async ({ projectId }, context) => ({
      removed: await emptyTrash(context, idOf('Project', projectId)),
    }),
  }),
];

const DELETED =
  'Deleted and replaced files that the caller may restore, the last one first. ' +
  'Empty unless the caller may delete files there, and while `TRASH_DAYS` is 0. ';

@Resolver(() => Container)
export class ContainerTrashResolver {
  @FieldResolver(() => DeletedAttachmentConnection, { description: DELETED })
  deletedAttachments(
    @Root() container: ContainerRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: Context,
  ) {
    const type = container.constructor.name as ContainerType;
    return connection(context, args, deletedInContainer[type], { parent: container.id });
  }
}

@Resolver(() => Project)
export class ProjectTrashResolver {
  @FieldResolver(() => DeletedAttachmentConnection, { description: DELETED })
  async deletedAttachments(
    @Root() { id }: Project,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: Context,
  ) {
    // No project has the id 0. Its trash is not read row by row for those who may restore nothing.
    const parent = (await can.deleteFilesIn(context, id)) ? id : 0;
    return connection(context, args, deletedInProject, { parent });
  }
}

@Resolver(() => DeletedAttachment)
export class DeletedAttachmentResolver {
  @FieldResolver(() => ID, { description: 'The global id that it had, for `restoreAttachments`.' })
  attachmentId(@Root() { id }: DeletedAttachment): string {
    return globalId('Attachment', id);
  }

  @FieldResolver(() => User, { description: 'The user who uploaded the file.' })
  author(@Root() { authorId }: DeletedAttachment, @Ctx() { loaders }: Context) {
    return loaders.users.load(authorId);
  }

  @FieldResolver(() => User, { description: 'The user who deleted or replaced the file.' })
  deletedBy(@Root() { deletedById }: DeletedAttachment, @Ctx() { loaders }: Context) {
    return loaders.users.load(deletedById);
  }

  @FieldResolver(() => Container, { nullable: true, description: 'Where it was.' })
  async container(
    @Root() { containerRef }: DeletedAttachment,
    @Ctx() { loaders }: Context,
  ): Promise<ContainerRecord | null> {
    return (containerRef && (await loaders.containers.load(containerRef))) ?? null;
  }

  @FieldResolver(() => Attachment, {
    nullable: true,
    description:
      'The attachment whose former content this is (`replaceAttachment`). ' +
      'Null for a deleted file, and if that attachment is gone or not visible.',
  })
  async replacedBy(
    @Root() { replacedById }: DeletedAttachment,
    @Ctx() context: Context,
  ): Promise<Attachment | null> {
    return (replacedById !== null && (await find.attachment(context, replacedById))) || null;
  }
}
