/** Storages in the graph: queries and fields. */
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { connectionAddress } from '../actions/storages/connections/connection-address.js';
import { authorizationStates } from '../actions/storages/access/authorization-state.js';
import { projectStorageQuery } from '../actions/storages/projects/list-project-storages.js';
import { isConfigured } from '../actions/storages/access/is-configured.js';
import { isSwitchedOff } from '../actions/storages/access/switched-off.js';
import { checkStorageHealth } from '../actions/storages/settings/check-storage-health.js';
import { openStorage } from '../actions/storages/settings/open-storage.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { listOf, storages } from '../lists/by-creation.js';
import { ProjectStorageConnection, StorageConnection } from '../models/relay-connection.js';
import { Project } from '../models/project.js';
import { DateTime } from '../models/date-time.js';
import { StorageHealth } from '../models/storage-health.js';
import { AuthorizationProblem, AuthorizationState, Storage } from '../models/storage.js';
import { can, demandAdmin } from '../policies/can.js';
import { find } from '../policies/find.js';
import { found } from './found.js';
import { connection } from './connections.js';
import { counted } from './counted.js';
import {
  creationOrderArgs,
  directionOf,
  PagedArgs,
  type CreationOrderArgs,
} from './list-arguments.js';
import { askOnce } from './shared-requests.js';
import { ADMINS } from './schema-phrases.js';
import { fieldWeights } from '../contract/field-weights.js';

const SortedProjectStorages = creationOrderArgs('ProjectStorageOrder', {
  list: 'project storages',
  usual: 'idDesc',
});

@Resolver(() => Storage)
export class StorageResolver {
  @Query(() => Storage, {
    nullable: true,
    description:
      'Returns one storage. Visible are storages of projects whose file links the caller may ' +
      'view. Users who may administer the storages of any project see all storages. ' +
      'Null with the error NOT_FOUND if it is missing or not visible.',
  })
  storage(
    @Arg('id', () => ID, { description: 'Global id or integer id of the storage.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Storage> {
    return found(find.storage(context, idOf('Storage', id)));
  }

  @Query(() => StorageConnection, {
    description: 'Returns the storages that the caller sees, newest first.',
  })
  storages(@Args(() => PagedArgs) args: PagedArgs, @Ctx() context: Context) {
    return connection(context, args, storages);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the storage has all necessary settings. These are its own members, and client ' +
      'credentials or the audience for single sign-on.',
  })
  configured(@Root() storage: Storage, @Ctx() context: Context): Promise<boolean> {
    return isConfigured(context, storage);
  }

  @FieldResolver(() => AuthorizationState, {
    description:
      'Whether the storage accepts the caller. This field asks the storage. ' +
      '`ERROR` also if the type of storage is disabled.',
  })
  async authorizationState(
    @Root() storage: Storage,
    @Ctx() context: Context,
  ): Promise<AuthorizationState> {
    return (await context.once(authorizationStates).load(storage)).state;
  }

  @FieldResolver(() => AuthorizationProblem, {
    nullable: true,
    description:
      'Why `authorizationState` is `ERROR`, if more is known. This field asks the storage.',
  })
  async authorizationProblem(
    @Root() storage: Storage,
    @Ctx() context: Context,
  ): Promise<AuthorizationProblem | null> {
    return (await context.once(authorizationStates).load(storage)).problem ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'URL of a page that connects the caller to the storage. This field asks the storage. ' +
      'Null unless `authorizationState` is `FailedAuthorization`. ' +
      'Null if the storage is not configured or uses single sign-on.',
  })
  authorizeUrl(@Root() storage: Storage, @Ctx() context: Context): Promise<string | null> {
    return connectionAddress(context, storage);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'URL that opens the storage in a browser. A cloud drive is asked for it. ' +
      'Null with an error if it is unknown: MISSING_ENTERPRISE_TOKEN if the type of storage is ' +
      'disabled, OUTBOUND_REQUEST_NOT_FOUND if the storage does not return it.',
  })
  openUrl(@Root() storage: Storage, @Ctx() context: Context): Promise<string> {
    return askOnce(context, ['openUrl', storage.id, ''], () => openStorage(context, storage));
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may change the storage and its OAuth records.',
  })
  viewerCanUpdate(@Ctx() context: Context): boolean {
    return can.administer(context);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may delete the storage.' })
  viewerCanDelete(@Ctx() context: Context): boolean {
    return can.administer(context);
  }

  @FieldResolver(() => [Project], {
    description:
      'The projects that use the storage and for which the caller may upload files to it ' +
      '(`prepareStorageUpload`). Empty if the type of storage is disabled.',
  })
  async uploadProjects(@Root() { id, type }: Storage, @Ctx() context: Context): Promise<Project[]> {
    if (isSwitchedOff(context, type)) return [];
    return counted(
      context,
      () => context.loaders.uploadProjects.load(id),
      (projects) => projects.length,
    );
  }

  @FieldResolver(() => ProjectStorageConnection, {
    description:
      'The uses of the storage by projects that the caller sees. ' +
      'They are visible as in `projectStorages`.',
  })
  async projectStorages(
    @Root() { id }: Storage,
    @Args(() => SortedProjectStorages) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    const rows = await projectStorageQuery(context, { storageIds: [id] });
    return connection(context, args, listOf(rows, directionOf(args)));
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'Since when the storage does not work. The service tries it every five minutes. ' +
      `Null: it works, or it is not set up. Null with an error: ${ADMINS}.`,
  })
  failingSince(@Root() storage: Storage, @Ctx() context: Context): string | null {
    demandAdmin(context);
    return storage.failingSince;
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'When the storage last worked. Null: the service has not tried it yet. ' +
      `Null with an error: ${ADMINS}.`,
  })
  workedAt(@Root() storage: Storage, @Ctx() context: Context): string | null {
    demandAdmin(context);
    return storage.workedAt;
  }

  @FieldResolver(() => StorageHealth, {
    nullable: true,
    complexity: fieldWeights.askedForMany,
    description:
      'Whether the storage works and, if not, why. This field asks the storage. ' +
      `Null with an error: ${ADMINS}.`,
  })
  health(@Root() storage: Storage, @Ctx() context: Context): Promise<StorageHealth> {
    return askOnce(context, ['health', storage.id], () => checkStorageHealth(context, storage));
  }
}
