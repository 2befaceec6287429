/** File links in the graph: links from work packages to files in storages. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { createFileLinks, type NewFileLink } from '../actions/storages/links/create-file-links.js';
import { deleteFileLink } from '../actions/storages/links/delete-file-link.js';
import { downloadFileLink } from '../actions/storages/links/download-file-link.js';
import { knownAddress, openFileLink, storageOf } from '../actions/storages/links/open-file-link.js';
import { originLoader } from '../actions/storages/access/origins.js';
import { authorizationStates } from '../actions/storages/access/authorization-state.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { MAX_NEW_FILE_LINKS } from '../contract/limits.js';
import { thenMaybe, type MaybePromise } from '../concurrency/maybe-promise.js';
import { DateTime } from '../models/date-time.js';
import { FileLink, FileLinkStatus, OriginData } from '../models/file-link.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { found } from './found.js';
import { optionalId } from './id-lists.js';
import { askInTurn } from './shared-requests.js';
import { fieldWeights } from '../contract/field-weights.js';
import { FileLinkInput } from './file-link-inputs.js';
import { idOfOne, mutation, optional, readIfSelected } from './mutation.js';

export const fileLinkMutations = [
  mutation('createFileLinks', {
    forApplications: true,
    description:
      'Links files in storages to a work package. ' +
      'It needs the permission to manage file links in the project of the work package. ' +
      'Without a work package, in a project that uses the storage. In the profile openproject, ' +
      'that needs the permission to view file links instead. The storages are not asked. ' +
      'Errors: NOT_FOUND if the work package is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION with one violation for each invalid element, ' +
      'also for a storage that the project does not use.',
    argument: 'The links.',
    about: 'New file links. Either all are created or none.',
    input: {
      workPackageId: optional(
        ID,
        'Global id or integer id of the work package. Without it, the links are unclaimed: ' +
          'only the caller sees them. They are removed if no work package claims them in time ' +
          '(after 3 hours by default).',
      ),
      fileLinks: optional([FileLinkInput], `Required. 1 to ${MAX_NEW_FILE_LINKS} file links.`),
    },
    payload: {
      fileLinks: [
        [FileLink],
        'One file link for each element of the input, in the same order. ' +
          'If the work package already links the file, the existing link is returned unchanged.',
      ],
    },
    run: async ({ workPackageId, fileLinks }, context) => {
      const databaseId = optionalId('WorkPackage', workPackageId);
      return { fileLinks: await createFileLinks(context, databaseId, fileLinks?.map(newLinkOf)) };
    },
  }),

  mutation('deleteFileLink', {
    forApplications: true,
    description:
      'Removes a file link. The file stays in the storage. ' +
      'It needs the permission to manage file links; an unclaimed link belongs to its creator. ' +
      'Errors: NOT_FOUND if the link is missing or not visible; MISSING_PERMISSION. ' +
      'In the profile openproject, the link need not be visible, but its work package.',
    argument: 'The link.',
    about: 'The file link to remove.',
    input: {
      id: idOfOne('file link'),
      workPackageId: optional(
        ID,
        'Global id or integer id of the work package of the link. ' +
          'Error: NOT_FOUND if the link has another one. Default: any, or none.',
      ),
    },
    payload: {
      deletedFileLinkId: [ID, 'Global id of the removed file link.'],
      container: readIfSelected(
        WorkPackage,
        'The work package of the link, after the removal. Null if the link was unclaimed.',
      ),
    },
    run: async ({ id, workPackageId }, context) => {
      const deleted = await deleteFileLink(context, idOf('FileLink', id), {
        workPackageId: optionalId('WorkPackage', workPackageId),
      });
      return {
        deletedFileLinkId: globalId('FileLink', deleted.id),
        container: () => find.workPackage(context, deleted.workPackageId ?? undefined),
      };
    },
  }),
];

@Resolver(() => FileLink)
export class FileLinkResolver {
  @Query(() => FileLink, {
    nullable: true,
    description:
      'Returns one file link. Null with the error NOT_FOUND if it is missing or not visible. ' +
      'An unclaimed link is visible only to its creator.',
  })
  fileLink(
    @Arg('id', () => ID, { description: 'Global id or integer id of the file link.' }) id: string,
    @Ctx() context: Context,
  ): Promise<FileLink> {
    return found(find.fileLink(context, idOf('FileLink', id)));
  }

  @FieldResolver(() => OriginData, {
    description:
      'What the storage says about the file. If the storage does not answer, or the caller may ' +
      'not see the file, the last known data.',
  })
  originData(
    @Root() link: FileLink,
    @Arg('refresh', () => Boolean, {
      defaultValue: true,
      description: 'Whether to ask the storage first. False returns the stored data at once.',
    })
    refresh: boolean,
    @Ctx() context: Context,
  ): MaybePromise<OriginData> {
    return refresh
      ? thenMaybe(context.once(originLoader).load(link), (origin) => origin.link.stored)
      : link.stored;
  }

  @FieldResolver(() => DateTime, {
    description: 'When the link, or the stored data about the file, last changed.',
  })
  updatedAt(
    @Root() link: FileLink,
    @Arg('refresh', () => Boolean, {
      defaultValue: false,
      description: 'Whether to ask the storage first. False returns the stored time at once.',
    })
    refresh: boolean,
    @Ctx() context: Context,
  ): MaybePromise<string> {
    return refresh
      ? thenMaybe(context.once(originLoader).load(link), (origin) => origin.link.updatedAt)
      : link.updatedAt;
  }

  @FieldResolver(() => FileLinkStatus, {
    description: 'Whether the caller can see the file in the storage. This field asks the storage.',
  })
  status(@Root() link: FileLink, @Ctx() context: Context): MaybePromise<FileLinkStatus> {
    return thenMaybe(context.once(originLoader).load(link), ({ status }) => status);
  }

  @FieldResolver(() => Storage, {
    description:
      'The storage of the file. Its `authorizationState` costs no further request ' +
      'if the `status` of the link is selected.',
  })
  storage(@Root() link: FileLink, @Ctx() context: Context): MaybePromise<Storage> {
    return storageWithState(context, link);
  }

  @FieldResolver(() => WorkPackage, {
    nullable: true,
    description: 'The work package of the link. Null while the link is unclaimed.',
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

  @FieldResolver(() => User, {
    description: 'The user who created the link.',
  })
  creator(@Root() { creatorId }: FileLink, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(creatorId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'URL that opens the file in a browser. For storages that alone know it (cloud drives), ' +
      'this field asks the storage, as `status` does. Null if the URL is unknown. ' +
      '`openUrl` has an error instead.',
  })
  originOpenUrl(@Root() link: FileLink, @Ctx() context: Context): MaybePromise<string | null> {
    return originAddress(context, link, 'file');
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'URL that opens the folder of the file in a browser. Otherwise like `originOpenUrl`.',
  })
  originOpenLocationUrl(
    @Root() link: FileLink,
    @Ctx() context: Context,
  ): MaybePromise<string | null> {
    return originAddress(context, link, 'location');
  }

  @FieldResolver(() => String, {
    nullable: true,
    complexity: fieldWeights.asked,
    description:
      'URL that opens the file, or its folder, in a browser. A cloud drive is asked for it. ' +
      'Null with an error if it is unknown: MISSING_ENTERPRISE_TOKEN if the type of storage is ' +
      'disabled, OUTBOUND_REQUEST_NOT_FOUND if the storage does not return it.',
  })
  openUrl(
    @Root() link: FileLink,
    @Arg('location', () => Boolean, {
      defaultValue: false,
      description: 'True returns the URL of the folder that contains the file.',
    })
    location: boolean,
    @Ctx() context: Context,
  ): Promise<string> {
    const at = location ? 'location' : 'file';
    return askInTurn(context, link.storageId, ['openUrl of a link', link.id, at], () =>
      openFileLink(context, link, at),
    );
  }

  @FieldResolver(() => String, {
    nullable: true,
    complexity: fieldWeights.asked,
    description:
      'Short-lived URL of the content that needs no credentials. This field asks the storage. ' +
      'Null with an error if there is none: MISSING_ENTERPRISE_TOKEN if the type of storage is ' +
      'disabled, OUTBOUND_REQUEST_NOT_FOUND if the storage does not return one.',
  })
  downloadUrl(@Root() link: FileLink, @Ctx() context: Context): Promise<string> {
    return askInTurn(context, link.storageId, ['downloadUrl', link.id], () =>
      downloadFileLink(context, link),
    );
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may remove the link.' })
  viewerCanDelete(@Root() link: FileLink, @Ctx() context: Context): boolean | Promise<boolean> {
    return can.deleteFileLink(context, link);
  }
}

/** The action takes 0 for an id that no storage can have. */
function newLinkOf({ storageId, ...link }: InstanceType<typeof FileLinkInput>): NewFileLink {
  const id = optionalId('Storage', storageId);
  return { ...link, storageId: id === null ? undefined : (id ?? 0) };
}

/** The storage of a link. The answer about the file also gives the authorization state. */
export function storageWithState(context: Context, link: FileLink): MaybePromise<Storage> {
  const origins = context.once(originLoader);
  context
    .once(authorizationStates)
    .answer(link.storageId, async () => (await origins.load(link)).connection);
  return storageOf(context, link);
}

/**
 * The address of the file, or of its folder, for browsers. Some types of storage can compute it.
 * Else the storage is asked, which also gives the status.
 */
function originAddress(
  context: Context,
  link: FileLink,
  at: 'file' | 'location',
): MaybePromise<string | null> {
  const origins = context.once(originLoader);
  const asked = () =>
    thenMaybe(
      origins.load(link),
      ({ file }) => (at === 'file' ? file?.webUrl : file?.folderWebUrl) ?? null,
    );
  return thenMaybe(
    storageOf(context, link),
    (storage) => knownAddress(context, storage, link, at) ?? asked(),
  );
}
