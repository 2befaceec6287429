/** Rows for the workloads of file links: 100 work packages with 100 links each, to one storage that the member is connected to. */
import { pino } from 'pino';
import { readConfig } from '../src/config.js';
import { openServices } from '../src/services.js';
import { factories } from '../test/support/factories.js';
import { ACCESS_TOKEN, fileAt, FIRST_FILE } from './links/file-server-files.js';
import { SECRET_KEY } from './programs.js';
import { seeded } from './seed.js';

const PER_WORK_PACKAGE = 100;
const PERMISSIONS = ['view_file_links', 'manage_file_links'];
/** Rows in one statement. */
const BATCH = 500;
const TIME = '2026-01-02T03:04:05.678Z';

/** The ids of the links, on a database that `seed` has filled. */
export const seededLinks = Array.from(
  { length: seeded.workPackages.length * PER_WORK_PACKAGE },
  (_, n) => n + 1,
);

/** @param origin address of a working file server */
export async function seedLinks(databaseUrl: string, origin: string): Promise<void> {
  const services = openServices(
    readConfig({ DATABASE_URL: databaseUrl, SECRET_KEY }),
    pino({ level: 'silent' }),
  );
  try {
    const { write } = services.db;
    const given = factories(services);
    const only = async (table: string, column = 'id') => {
      const ids: number[] = await write(table).distinct(column).pluck(column);
      if (ids.length !== 1) throw new Error(`${table} has ${ids.length} of ${column}.`);
      return ids[0]!;
    };
    const project = { id: await only('projects') };
    const member = { id: await only('api_keys', 'user_id') };
    const role = await only('membership_roles', 'role_id');
    await write('role_permissions').insert(
      PERMISSIONS.map((permission) => ({ role_id: role, permission })),
    );
    const client = { id: 'bench', secret: 'bench-secret' };
    const storage = await given.storage({ name: 'The measured storage', origin, client });
    await given.projectStorage(project, storage);
    await given.storageTokens(member, storage, {
      accessToken: ACCESS_TOKEN,
      expiresInSeconds: 24 * 3600,
      originUserId: 'member',
    });
    const rows = seededLinks.map((n) => {
      const { id, name, mimetype, size, ctime, mtime, owner_name, modifier_name } = fileAt(
        String(FIRST_FILE + n),
        0,
      );
      return {
        work_package_id: seeded.workPackages[Math.floor((n - 1) / PER_WORK_PACKAGE)],
        storage_id: storage.id,
        creator_id: member.id,
        origin_id: String(id),
        // The file server gives the same, so that no request has to save it.
        origin_name: name,
        origin_mime_type: mimetype,
        origin_size: size,
        origin_created_at: new Date(ctime * 1000).toISOString(),
        origin_last_modified_at: new Date(mtime * 1000).toISOString(),
        origin_created_by_name: owner_name,
        origin_last_modified_by_name: modifier_name,
        created_at: TIME,
        updated_at: TIME,
      };
    });
    for (let start = 0; start < rows.length; start += BATCH)
      await write('file_links').insert(rows.slice(start, start + BATCH));
    if (services.db.client === 'postgres') await write.raw('vacuum analyze');
  } finally {
    await services.close();
  }
}
