/** Makes the two storages of the demo, and lets their addresses follow the demo servers. */
import { makeContext, type Services } from '../../../context.js';
import { OAuthClientCredentials } from '../../../models/oauth-client-credentials.js';
import { ProjectFolderMode, ProjectStorage } from '../../../models/project-storage.js';
import { Storage, type StorageType } from '../../../models/storage.js';
import { User } from '../../../models/user.js';
import { originKey } from '../../../outbound/address.js';
import type { ImportedIds } from '../../people/directory/job.js';
import { createProjectStorage } from '../../storages/projects/create-project-storage.js';
import { createStorage } from '../../storages/settings/create-storage.js';
import { setClientCredentials } from '../../storages/settings/set-client-credentials.js';
import { readWorld, type StorageKey, type World } from './world.js';

/** The addresses of the demo servers that run. */
export type DemoServers = { [key in StorageKey]?: string };

/** The storage connects people itself. A year is the longest that a token is kept for. */
const TOKEN_SECONDS = 365 * 86_400;

const types: { [key in StorageKey]: StorageType } = {
  fileServer: 'SelfHostedFileServer',
  drive: 'CloudDrive',
};

/** As the first administrator of the demo. Repeats nothing that is there. */
export async function createStorages(
  services: Services,
  world: World,
  ids: ImportedIds,
  servers: DemoServers,
): Promise<void> {
  const admin = await User.query(services.db.read).findOne({ admin: true, status: 'active' });
  if (!admin) throw new Error('The demo has no administrator.');
  for (const key of Object.keys(types) as StorageKey[]) {
    const origin = servers[key];
    if (origin === undefined) continue;
    const demo = world.storages[key];
    const context = makeContext(services, admin);
    const storage =
      (await Storage.query(services.db.read).findOne({ name: demo.name })) ??
      (
        await createStorage(context, {
          type: types[key],
          name: demo.name,
          ...(key === 'fileServer' && { origin }),
          ...(key === 'drive' && { tenantId: demo.tenantId, driveId: demo.driveId }),
        })
      ).storage;
    const { credentials } = await setClientCredentials(context, storage.id, {
      clientId: demo.client.id,
      clientSecret: demo.client.secret,
    });
    for (const { project, folder } of demo.projects) {
      const projectId = ids.projects[project];
      const existing = { project_id: projectId, storage_id: storage.id };
      if (await ProjectStorage.query(services.db.read).findOne(existing)) continue;
      await createProjectStorage(context, {
        projectId,
        storageId: storage.id,
        projectFolderMode: folder ? ProjectFolderMode.MANUAL : ProjectFolderMode.INACTIVE,
        projectFolderId: folder ?? null,
      });
    }
    for (const [login, tokens] of Object.entries(demo.tokens)) {
      const owner = {
        userId: ids.users[login]!,
        storageId: storage.id,
        credentialsId: credentials.id,
      };
      const granted = { ...tokens, seconds: TOKEN_SECONDS, userId: login };
      await services.connections.save(owner, granted);
    }
  }
}

/** The file server may have another port than at the start before. The secrets stay: it is ours. */
export async function followServers({ db }: Services, { fileServer }: DemoServers): Promise<void> {
  if (fileServer === undefined) return;
  const { client } = (await readWorld()).storages.fileServer;
  const url = new URL(fileServer);
  await Storage.query(db.write)
    .patch({ origin: url.href, originKey: originKey(url) })
    .whereIn(
      'id',
      OAuthClientCredentials.query(db.write).select('storage_id').where('client_id', client.id),
    );
}
