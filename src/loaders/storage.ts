/** Loads rows that belong to visible storages. */
import DataLoader from 'dataloader';
import type { LoaderNeeds } from './needs.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import type { Project } from '../models/project.js';
import { StorageToken } from '../models/storage-token.js';
import type { Storage } from '../models/storage.js';
import { storages } from '../policies/permissions.js';
import { grantedAny, scoped, whereReachable } from '../policies/sql-conditions.js';
import { visible } from '../policies/visible.js';
import { hostMemberNames, type OwnMemberName } from '../storages/types.js';
import { MAX_BATCH } from '../database/batches.js';
import { byKeys, oneOf } from './rows-by-key.js';

const column = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const storagesById = byKeys('id', (db, user) => visible.storages(user, db));

/** Loads storages: undefined for missing and for invisible ones. */
export const storageLoader = (needs: LoaderNeeds) => oneOf(needs, storagesById, ({ id }) => id);

const applications = byKeys('storage_id', (db) => OAuthApplication.query(db));

/** The OAuth application of a storage. */
export const oauthApplicationLoader = (needs: LoaderNeeds) =>
  oneOf(needs, applications, ({ storageId }) => storageId);

const credentials = byKeys(
  'storage_id',
  (db) =>
    OAuthClientCredentials.query(db).join(
      'storages',
      'storages.id',
      'oauth_client_credentials.storage_id',
    ),
  {
    storage_origin: 'storages.origin',
    ...Object.fromEntries(
      hostMemberNames.map(column).map((name) => [`storage_${name}`, `storages.${name}`]),
    ),
  },
);

/** The client credentials for a storage, with the host of that storage. */
export const credentialsLoader = (needs: LoaderNeeds) =>
  oneOf(needs, credentials, ({ storageId }) => storageId);

/** A member of the storage that determines its host, as it was when the credentials were read. */
export const hostMember = (credentials: OAuthClientCredentials, name: OwnMemberName): unknown =>
  // The query selects a column for each of these members. The model does not declare that column.
  (credentials as unknown as { [alias: string]: unknown })[
    `storage${name.charAt(0).toUpperCase()}${name.slice(1)}`
  ];

const tokens = byKeys('storage_id', (db, user) => StorageToken.query(db).where('user_id', user.id));

/** The caller's tokens of a storage. */
export const storageTokenLoader = (needs: LoaderNeeds) =>
  oneOf(needs, tokens, ({ storageId }) => storageId);

/**
 * The projects of a storage in which the caller can upload to it.
 * No prepared read: with one plan for any number of storages, databases read all projects.
 */
export const uploadProjectsLoader = ({ db, user }: LoaderNeeds): DataLoader<number, Project[]> =>
  new DataLoader(
    async (ids) => {
      const mayManage = grantedAny(user, [storages.manage], 'projects.id');
      const used = visible
        .projects(user, db.read)
        .select('projects.*', 'project_storages.storage_id')
        .join('project_storages', 'project_storages.project_id', 'projects.id')
        .whereIn('project_storages.storage_id', [...ids]);
      const rows = await scoped(whereReachable(used, 'projects.id', user), mayManage, user)
        .orderBy('projects.id')
        .castTo<(Project & { storageId: number })[]>();
      return ids.map((id) => rows.filter(({ storageId }) => storageId === id));
    },
    { maxBatchSize: MAX_BATCH },
  );

/** The visible storages that projects use, newest first. */
export const storagesOfProjectLoader = ({ db, user }: LoaderNeeds): DataLoader<number, Storage[]> =>
  new DataLoader(
    async (ids) => {
      const rows = await visible
        .storages(user, db.read)
        .select('storages.*', 'project_storages.project_id')
        .join('project_storages', 'project_storages.storage_id', 'storages.id')
        .whereIn('project_storages.project_id', [...ids])
        .orderBy('storages.id', 'desc')
        .castTo<(Storage & { projectId: number })[]>();
      return ids.map((id) => rows.filter(({ projectId }) => projectId === id));
    },
    { maxBatchSize: MAX_BATCH },
  );
