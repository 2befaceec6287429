/** Loads rows that belong to visible storages. */
import DataLoader from 'dataloader';
import type { Dependencies } from './dependencies.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import { Project } from '../models/project.js';
import { StorageToken } from '../models/storage-token.js';
import { Storage } from '../models/storage.js';
import { storages } from '../policies/permissions.js';
import { bind, grantedAny, whereReachable } from '../policies/sql-conditions.js';
import { hostMemberNames, type OwnMemberName } from '../storages/types.js';
import { MAX_BATCH } from './page.js';

const column = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Rows<M> = (ids: readonly number[]) => PromiseLike<M[]>;

/** A loader of one row for each key; undefined if there is none. */
const oneOf = <M>(
  rows: Rows<M>,
  keyOf: (row: M) => number | null,
): DataLoader<number, M | undefined> =>
  new DataLoader(
    async (ids) => {
      const found = new Map((await rows(ids)).map((row) => [keyOf(row), row]));
      return ids.map((id) => found.get(id));
    },
    { maxBatchSize: MAX_BATCH },
  );

export const storageLoader = ({ db }: Dependencies): DataLoader<number, Storage | undefined> =>
  oneOf(
    (ids) => Storage.query(db.read).whereIn('id', [...ids]),
    ({ id }) => id,
  );

/** The OAuth application of a storage. */
export const oauthApplicationLoader = ({
  db,
}: Dependencies): DataLoader<number, OAuthApplication | undefined> =>
  oneOf(
    (ids) => OAuthApplication.query(db.read).whereIn('storage_id', [...ids]),
    ({ storageId }) => storageId,
  );

/** The client credentials for a storage, with the host of that storage. */
export const credentialsLoader = ({
  db,
}: Dependencies): DataLoader<number, OAuthClientCredentials | undefined> =>
  oneOf(
    (ids) =>
      OAuthClientCredentials.query(db.read)
        .select(
          'oauth_client_credentials.*',
          'storages.origin as storage_origin',
          ...hostMemberNames.map((name) => `storages.${column(name)} as storage_${column(name)}`),
        )
        .join('storages', 'storages.id', 'oauth_client_credentials.storage_id')
        .whereIn('storage_id', [...ids]),
    ({ storageId }) => storageId,
  );

/** A member of the storage that determines its host, as it was when the credentials were read. */
export const hostMember = (credentials: OAuthClientCredentials, name: OwnMemberName): unknown =>
  // The query selects one more column for each of them, which the model does not declare.
  (credentials as unknown as { [alias: string]: unknown })[
    `storage${name.charAt(0).toUpperCase()}${name.slice(1)}`
  ];

/** The caller's tokens of a storage. */
export const storageTokenLoader = ({
  db,
  user,
}: Dependencies): DataLoader<number, StorageToken | undefined> =>
  oneOf(
    (ids) =>
      StorageToken.query(db.read)
        .where('user_id', user.id)
        .whereIn('storage_id', [...ids]),
    ({ storageId }) => storageId,
  );

/** The projects of a storage in which the caller can upload to it. */
export const uploadProjectsLoader = ({ db, user }: Dependencies): DataLoader<number, Project[]> =>
  new DataLoader(
    async (ids) => {
      const mayManage = grantedAny(user, [storages.manage], 'projects.id');
      const used = Project.query(db.read)
        .select('projects.*', 'project_storages.storage_id')
        .join('project_storages', 'project_storages.project_id', 'projects.id')
        .whereIn('project_storages.storage_id', [...ids]);
      const rows = await whereReachable(used, 'projects.id', user)
        .whereRaw(mayManage.sql, bind(mayManage, user))
        .orderBy('projects.id')
        .castTo<(Project & { storageId: number })[]>();
      return ids.map((id) => rows.filter(({ storageId }) => storageId === id));
    },
    { maxBatchSize: MAX_BATCH },
  );
