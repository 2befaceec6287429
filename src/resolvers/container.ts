/** The fields that all kinds of containers share. */
import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import { archiveAddress, demandArchivedIds } from '../actions/files/attachments/archive-address.js';
import type { Context } from '../context.js';
import { containerKinds, containerTypes } from '../contract/container-kinds.js';
import { MAX_ARCHIVED_IDS } from '../contract/limits.js';
import { joinedList, withCommas } from '../contract/words.js';
import {
  attachmentOrder,
  attachments,
  filterValues,
  type AttachmentOrder,
} from '../lists/attachments.js';
import { AttachmentConnection } from '../models/relay-connection.js';
import { Container, type ContainerRecord, type ContainerType } from '../models/container.js';
import { Project } from '../models/project.js';
import { TemporaryAddress } from '../models/temporary-address.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { AttachmentArgs, conditionOf } from './attachment-arguments.js';
import { connection } from './connections.js';
import { idsOf } from './id-lists.js';
import { orderOf } from './list-arguments.js';

const sortedByName = joinedList(
  containerTypes
    .filter((type) => containerKinds[type].order === 'fileName')
    .map((type) => containerKinds[type].plural),
  'and',
);

/** Model classes are named after their kind of container. */
const typeOf = (container: ContainerRecord) => container.constructor.name as ContainerType;

@Resolver(() => Container)
export class ContainerResolver {
  @FieldResolver(() => AttachmentConnection, {
    description:
      `The attachments whose upload is finished. Those of ${sortedByName} are sorted ` +
      'by file name, those of other containers by creation, unless `orderBy` says otherwise. ' +
      'Filters narrow the list together.',
  })
  async attachments(
    @Root() container: ContainerRecord,
    @Args(() => AttachmentArgs) args: AttachmentArgs,
    @Ctx() context: Context,
  ) {
    const type = typeOf(container);
    const order = args.orderBy
      ? orderOf<AttachmentOrder>(args.orderBy)
      : { by: attachmentOrder(type), descends: false };
    const filter = conditionOf(args);
    const page = await connection(context, args, attachments(type, order, filter !== undefined), {
      parent: container.id,
      ...(filter && { values: filterValues(context.db, filter) }),
    });
    for (const attachment of page.nodes) attachment.knownContainer = container;
    return page;
  }

  @FieldResolver(() => TemporaryAddress, {
    description:
      'An address of all attachments, or of some, in one ZIP archive. The service packs it while ' +
      'it is downloaded, with the permissions that the caller has then. ' +
      'An archive of all attachments also has the linked files of a work package, as far as the ' +
      'caller may read them in the storage. ' +
      'Files that the caller may not download, and files that are gone, are listed in a text ' +
      'file inside. Names that occur twice get a number.',
  })
  attachmentsArchive(
    @Root() container: ContainerRecord,
    @Arg('ids', () => [ID], {
      nullable: true,
      description:
        `Global ids or integer ids of attachments of the container, 1 to ` +
        `${withCommas(MAX_ARCHIVED_IDS)}. Without it: all. Error: INVALID_QUERY.`,
    })
    ids: string[] | null,
    @Ctx() context: Context,
  ): TemporaryAddress {
    return archiveAddress(context, {
      type: typeOf(container),
      id: container.id,
      ids: demandArchivedIds(idsOf('Attachment', ids)),
    });
  }

  @FieldResolver(() => Project, { description: 'The project of the container.' })
  project(
    @Root() { projectId }: ContainerRecord,
    @Ctx() { loaders }: Context,
  ): Project | Promise<Project> {
    return loaders.projects.load(projectId);
  }

  @FieldResolver(() => User, { description: 'The user who created the container.' })
  author(@Root() { authorId }: ContainerRecord, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(authorId);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may attach files to the container (`createAttachment`).',
  })
  viewerCanAddAttachment(
    @Root() container: ContainerRecord,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.attach(context, typeOf(container), container);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the caller may prepare direct uploads for the container ' +
      '(`prepareAttachmentUpload`). False if the object store does not support them.',
  })
  viewerCanPrepareAttachment(
    @Root() container: ContainerRecord,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return context.formSupport.isAvailable(context.origin)
      ? can.prepareUpload(context, typeOf(container), container)
      : false;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may change the container.' })
  viewerCanUpdate(
    @Root() container: ContainerRecord,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.edit(context, typeOf(container), container);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may delete the container.' })
  viewerCanDelete(
    @Root() container: ContainerRecord,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.edit(context, typeOf(container), container);
  }
}
