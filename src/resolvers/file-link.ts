/** Links from work packages to files in storages. */
import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  Info,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { createFileLinks } from '../actions/file-links/create-file-links.js';
import { deleteFileLink } from '../actions/file-links/delete-file-link.js';
import { downloadFileLink } from '../actions/file-links/download-file-link.js';
import { demandFew } from '../actions/project-storages/list-project-storages.js';
import { addressOf, openFileLink, storageOf } from '../actions/file-links/open-file-link.js';
import { answersOf } from '../actions/storage-access/shared-answers.js';
import { storageQueues } from '../actions/storage-access/storage-queues.js';
import { originLoader } from '../actions/storage-access/origins.js';
import { authorizationStates } from '../actions/storage-access/authorization-state.js';
import type { Context } from '../context.js';
import { MissingPermission, NotFound } from '../contract/errors.js';
import { globalId, idOf } from '../contract/ids.js';
import { after, type MaybePromise } from '../concurrency/maybe-promise.js';
import { byCreation } from '../loaders/page.js';
import { ConnectionOf, FileLinkConnection } from '../models/connection.js';
import type { ContainerRecord } from '../models/container.js';
import { DateTime } from '../models/date-time.js';
import { FileLink, FileLinkStatus, OriginData } from '../models/file-link.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from '../policies/can.js';
import { storageTypes } from '../storages/types.js';
import { find } from '../policies/find.js';
import { visible } from '../policies/visible.js';
import { connection, PagedArgs } from './paging.js';
import { selects } from './selection.js';

@ArgsType()
export class FileLinkArgs extends PagedArgs {
  @Field(() => [ID], {
    nullable: true,
    description: 'Only to these storages, ids in either form; 1000 at most.',
  })
  storageIds?: string[] | null;
}

@InputType({ description: 'What a client knows of a file in a storage.' })
export class OriginDataInput {
  @Field(() => String, {
    nullable: true,
    description: 'Its id there, at most 100 characters. Required.',
  })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Its name, at most 255 characters. Required.',
  })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Media type; of a folder `application/x-op-directory`.',
  })
  mimeType?: string | null;

  @Field(() => Float, { nullable: true, description: 'Size in bytes, a whole number.' })
  size?: number | null;

  @Field(() => String, { nullable: true, description: 'When it was made: ISO 8601.' })
  createdAt?: string | null;

  @Field(() => String, { nullable: true, description: 'When it was last changed: ISO 8601.' })
  lastModifiedAt?: string | null;

  @Field(() => String, { nullable: true, description: 'Who made it.' })
  createdByName?: string | null;

  @Field(() => String, { nullable: true, description: 'Who last changed it.' })
  lastModifiedByName?: string | null;
}

@InputType({
  description:
    'A file link to make. One of `storageId` and `storageUrl` names the storage; both must name the same.',
})
export class FileLinkInput {
  @Field(() => ID, { nullable: true, description: 'The storage, id in either form.' })
  storageId?: string | null;

  @Field(() => String, { nullable: true, description: 'The address of the storage.' })
  storageUrl?: string | null;

  @Field(() => OriginDataInput, { description: 'The file.' })
  originData!: OriginDataInput;
}

@InputType({ description: 'File links to make, all of them or none.' })
export class CreateFileLinksInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The work package, id in either form; absent for links to be claimed later.',
  })
  workPackageId?: string | null;

  @Field(() => [FileLinkInput], { nullable: true, description: 'One to twenty of them.' })
  fileLinks?: FileLinkInput[] | null;
}

@ObjectType({ description: 'Answer of createFileLinks.', simpleResolvers: true })
export class CreateFileLinksPayload {
  @Field(() => [FileLink], {
    description: 'One for each element, in their order; those that were there already as they are.',
  })
  fileLinks!: FileLink[];
}

@InputType({ description: 'The file link to remove.' })
export class DeleteFileLinkInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;
}

@ObjectType({ description: 'Answer of deleteFileLink.', simpleResolvers: true })
export class DeleteFileLinkPayload {
  @Field(() => ID, { description: 'Global id of the link that is gone.' })
  deletedFileLinkId!: string;
}

@Resolver(() => FileLink)
export class FileLinkResolver {
  @Query(() => FileLink, {
    description: 'One file link. NOT_FOUND where it is missing or not visible.',
  })
  async fileLink(
    @Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<FileLink> {
    const link = await find.fileLink(context, idOf('FileLink', id));
    if (!link) throw new NotFound();
    return link;
  }

  @Mutation(() => CreateFileLinksPayload, {
    description: 'Links files of storages to a work package, or to be claimed by one.',
  })
  async createFileLinks(
    @Arg('input', () => CreateFileLinksInput, { description: 'The links.' })
    { workPackageId, fileLinks }: CreateFileLinksInput,
    @Ctx() context: Context,
  ): Promise<CreateFileLinksPayload> {
    const container =
      workPackageId === null || workPackageId === undefined
        ? null
        : idOf('WorkPackage', workPackageId);
    return {
      fileLinks: await createFileLinks(
        context,
        container,
        fileLinks?.map(({ storageId, ...link }) => ({
          ...link,
          storageId: storageId ? (idOf('Storage', storageId) ?? 0) : undefined,
        })),
      ),
    };
  }

  @Mutation(() => DeleteFileLinkPayload, {
    description: 'Removes a file link; the file stays where it is.',
  })
  async deleteFileLink(
    @Arg('input', () => DeleteFileLinkInput, { description: 'The link.' })
    { id }: DeleteFileLinkInput,
    @Ctx() context: Context,
  ): Promise<DeleteFileLinkPayload> {
    const deleted = await deleteFileLink(context, idOf('FileLink', id));
    return { deletedFileLinkId: globalId('FileLink', deleted.id) };
  }

  @FieldResolver(() => OriginData, { description: 'What the storage says about the file.' })
  originData(
    @Root() link: FileLink,
    @Arg('refresh', () => Boolean, {
      defaultValue: true,
      description: 'Ask the storage; false answers at once with what it last said.',
    })
    refresh: boolean,
    @Ctx() context: Context,
  ): MaybePromise<OriginData> {
    return refresh
      ? after(context.once(originLoader).load(link), (origin) => origin.link.stored)
      : link.stored;
  }

  @FieldResolver(() => DateTime, {
    description: 'When it, or what is kept about the file, was last changed.',
  })
  updatedAt(
    @Root() link: FileLink,
    @Arg('refresh', () => Boolean, {
      defaultValue: false,
      description: 'Ask the storage first; false answers at once.',
    })
    refresh: boolean,
    @Ctx() context: Context,
  ): MaybePromise<string> {
    return refresh
      ? after(context.once(originLoader).load(link), (origin) => origin.link.updatedAt)
      : link.updatedAt;
  }

  @FieldResolver(() => FileLinkStatus, {
    description: 'How the caller stands to the file. Asks the storage.',
  })
  status(@Root() link: FileLink, @Ctx() context: Context): MaybePromise<FileLinkStatus> {
    return after(context.once(originLoader).load(link), ({ status }) => status);
  }

  @FieldResolver(() => Storage, {
    description: 'The storage; its authorization state comes with the status of the link.',
  })
  storage(@Root() link: FileLink, @Ctx() context: Context): MaybePromise<Storage> {
    return storageWithState(context, link);
  }

  @FieldResolver(() => WorkPackage, {
    nullable: true,
    description: 'The work package; null until one claims the link.',
  })
  async container(
    @Root() { workPackageId }: FileLink,
    @Ctx() { loaders }: Context,
  ): Promise<WorkPackage | null> {
    return workPackageId === null
      ? null
      : (((await loaders.containers.load({ type: 'WorkPackage', id: workPackageId })) as
          WorkPackage | undefined) ?? null);
  }

  @FieldResolver(() => User, { description: 'Who made the link.' })
  creator(@Root() { creatorId }: FileLink, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(creatorId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Where a browser opens the file: known without asking, or told with the status; null where it is not known.',
  })
  originOpenUrl(@Root() link: FileLink, @Ctx() context: Context): MaybePromise<string | null> {
    return originAddress(context, link, 'file');
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Where a browser opens the folder that the file is in: known without asking, or told with the status; null where it is not known.',
  })
  originOpenLocationUrl(
    @Root() link: FileLink,
    @Ctx() context: Context,
  ): MaybePromise<string | null> {
    return originAddress(context, link, 'location');
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Where a browser opens the file, or the folder that it is in; null with an error where it is not known. A cloud drive is asked.',
  })
  openUrl(
    @Root() link: FileLink,
    @Arg('location', () => Boolean, {
      defaultValue: false,
      description: 'The folder instead of the file.',
    })
    location: boolean,
    @Ctx() context: Context,
  ): Promise<string> {
    const what = location ? 'location' : 'file';
    return context
      .once(answersOf)
      .share(['openUrl of a link', link.id, what], () =>
        context.once(storageQueues).turn(link.storageId, () => openFileLink(context, link, what)),
      );
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'A fresh address for the content, without credentials, for a short while; null with an error where there is none. Asks the storage.',
  })
  downloadUrl(@Root() link: FileLink, @Ctx() context: Context): Promise<string> {
    return context
      .once(answersOf)
      .share(['downloadUrl', link.id], () =>
        context.once(storageQueues).turn(link.storageId, () => downloadFileLink(context, link)),
      );
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may remove it.' })
  viewerCanDelete(@Root() link: FileLink, @Ctx() context: Context): boolean | Promise<boolean> {
    return can.deleteFileLink(context, link);
  }
}

@Resolver(() => WorkPackage)
export class WorkPackageFileLinksResolver {
  @FieldResolver(() => FileLinkConnection, {
    description:
      'Its links to files in storages, oldest first. MISSING_PERMISSION without the permission to view file links.',
  })
  async fileLinks(
    @Root() workPackage: WorkPackage,
    @Args(() => FileLinkArgs) { storageIds, ...args }: FileLinkArgs,
    @Ctx() context: Context,
  ) {
    const { id, projectId } = workPackage;
    if (!(await can.viewFileLinks(context, projectId))) throw new MissingPermission();
    // It is the container of every link.
    context.loaders.containers.prime(
      { type: 'WorkPackage', id },
      workPackage as unknown as ContainerRecord,
    );
    demandFew(storageIds, 'storageIds');
    const wanted = storageIds?.flatMap((storageId) => idOf('Storage', storageId) ?? []);
    const rows = () => {
      const links = visible.fileLinksOf(workPackage, context.db.read);
      return wanted ? links.whereIn('file_links.storage_id', wanted) : links;
    };
    return connection(
      context,
      args,
      (page) => byCreation<FileLink>(rows, page, 'asc'),
      (link) => [link.id],
    );
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may see its file links.' })
  viewerCanViewFileLinks(
    @Root() { projectId }: WorkPackage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.viewFileLinks(context, projectId);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may link files to it.' })
  viewerCanManageFileLinks(
    @Root() { projectId }: WorkPackage,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.manageFileLinks(context, projectId);
  }
}

@Resolver(() => FileLinkConnection)
export class FileLinkConnectionResolver {
  @FieldResolver()
  async nodes(
    @Root() { nodes }: ConnectionOf<FileLink>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<FileLink[]> {
    if (selects(info, 'FileLink', [], asksStorage)) await context.once(originLoader).ask(nodes);
    return nodes;
  }

  @FieldResolver()
  async edges(
    @Root() links: ConnectionOf<FileLink>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (selects(info, 'FileLink', ['node'], asksStorage))
      await context.once(originLoader).ask(links.nodes);
    return links.edges;
  }

  @FieldResolver(() => [Storage], {
    description: 'The storages of the links of this page, each once.',
  })
  storages(@Root() { nodes }: ConnectionOf<FileLink>, @Ctx() context: Context): Promise<Storage[]> {
    const firsts = new Map([...nodes].reverse().map((link) => [link.storageId, link]));
    return Promise.all([...firsts.values()].map((link) => storageWithState(context, link)));
  }
}

/** The fields of a link that ask its storage, of whatever type it is. */
const asksStorage = (field: string, { refresh }: { readonly refresh?: unknown }): boolean =>
  refresh === true || field === 'status';

/** The storage of a link, whose authorization state comes with the status of the link. */
function storageWithState(context: Context, link: FileLink): MaybePromise<Storage> {
  const origins = context.once(originLoader);
  context
    .once(authorizationStates)
    .answer(link.storageId, async () => (await origins.load(link)).state);
  return origins.known(link)?.storage ?? storageOf(context, link);
}

/** That of a file server is known without asking it; a drive tells it with the status. */
function originAddress(
  context: Context,
  link: FileLink,
  at: 'file' | 'location',
): MaybePromise<string | null> {
  const origins = context.once(originLoader);
  const ofDrive = () =>
    after(
      origins.load(link),
      ({ file }) => (at === 'file' ? file?.webUrl : file?.folderWebUrl) ?? null,
    );
  return after(origins.known(link)?.storage ?? storageOf(context, link), (storage) =>
    storageTypes[storage.type].hasOrigin ? addressOf(context, storage, link, at) : ofDrive(),
  );
}
