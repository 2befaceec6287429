/** What the service finds when it checks a storage, and which field repairs what. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  StorageHealthDocument,
  StorageTrialsDocument,
  type StorageHealthQuery,
  type StorageTrialsQuery,
} from '../generated/documents';
import { moorage } from '../../service';

type Report = NonNullable<NonNullable<StorageHealthQuery['storage']>['health']>;
export type Check = Report['checks'][number];
export type Health = Report & NonNullable<StorageTrialsQuery['storage']>;

/** A check takes as long as the storage needs for its answers. */
const health = (id: string) =>
  queryOptions({
    queryKey: ['administration', 'storage', id, 'health'],
    queryFn: async ({ signal }): Promise<Health | null> => {
      const report = (await moorage.query(StorageHealthDocument, { id }, { signal })).storage
        ?.health;
      // Asked afterwards: a check that succeeds ends the failure.
      const { storage } = await moorage.query(StorageTrialsDocument, { id }, { signal });
      return report && storage ? { ...report, ...storage } : null;
    },
    retry: false,
  });

export type RepairedBy =
  | 'origin'
  | 'tenantId'
  | 'driveId'
  | 'clientId'
  | 'clientSecret'
  | 'applicationPassword'
  | 'storageAudience'
  | 'connection'
  | 'folders';

/** Where a failed check is repaired. Some are repaired at the storage: its address is the nearest. */
const repairs: { [check: string]: RepairedBy } = {
  host: 'origin',
  tls: 'origin',
  clock: 'origin',
  version: 'origin',
  companion_app: 'origin',
  secrets: 'clientSecret',
  client: 'clientId',
  client_secret: 'clientSecret',
  credentials: 'clientId',
  tenant: 'tenantId',
  drive: 'driveId',
  scope: 'driveId',
  openid: 'storageAudience',
  connection: 'connection',
  application_password: 'applicationPassword',
  folder_access: 'applicationPassword',
  team_folder_app: 'folders',
  team_folder: 'folders',
  folders_linked: 'folders',
  folders_exist: 'folders',
  folder_people: 'folders',
  folders_unexpected: 'folders',
  folder_create: 'folders',
  folder_delete: 'folders',
};

/** Failed checks by the field that repairs them. */
export function troublesOf(checks: readonly Check[]): (field: RepairedBy) => string[] {
  const failed = checks.filter(({ status }) => status === 'FAILED');
  return (field) =>
    failed.filter(({ check }) => (repairs[check] ?? 'origin') === field).map(({ hint }) => hint);
}

export const useHealth = (id: string) => useQuery(health(id));
