/** More rows for reads of every kind. Only columns that the older commit has, too. */
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { openDatabase } from '../../src/database/index.js';
import { migrate } from '../../src/database/migrations.js';
import { seeded } from '../seed.js';

/** Of each kind of container, and of comments. */
export const COUNT = 20;
const FILES = 10;
const LINKS = 50;
const PERMISSIONS = ['view_file_links', 'manage_file_links', 'manage_files_in_project'];
const times = { created_at: '2026-01-02T03:04:05.678Z', updated_at: '2026-01-02T03:04:05.678Z' };
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

type Database = ReturnType<typeof openDatabase>;

async function withDatabase(
  url: string,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const log = pino({ level: 'warn' });
  const database = openDatabase(readConfig({ DATABASE_URL: url }).database, log);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

export const migrateToThis = (url: string): Promise<void> =>
  withDatabase(url, async (database) => void (await migrate(database)));

/** @param url a database that `seed` has filled */
export const addRows = (url: string): Promise<void> =>
  withDatabase(url, async ({ write, client }) => {
    await write.transaction(async (trx) => {
      const [project]: number[] = await trx('projects').pluck('id');
      const [member]: number[] = await trx('api_keys').pluck('user_id');
      const [role]: number[] = await trx('membership_roles').distinct('role_id').pluck('role_id');
      const made = { project_id: project, author_id: member, ...times };
      const attach = (column: string) =>
        trx('attachments').insert(
          numbers(COUNT * FILES).map((n) => ({
            [column]: Math.ceil(n / FILES),
            author_id: member,
            file_name: `notes ${n}.txt`,
            file_size: n,
            description_text: '',
            content_type: 'text/plain',
            digest_algorithm: 'sha256',
            digest_hash: digestOf(`${column} ${n}`),
            status: 'uploaded',
            phase: 'kept',
            blob_key: digestOf(`key ${column} ${n}`).slice(0, 32),
            ...times,
          })),
        );
      await trx('role_permissions').insert(
        PERMISSIONS.map((permission) => ({ role_id: role, permission })),
      );
      for (const [table, name, column] of [
        ['meetings', 'title', 'meeting_id'],
        ['posts', 'subject', 'post_id'],
        ['wiki_pages', 'title', 'wiki_page_id'],
      ] as const) {
        await trx(table).insert(numbers(COUNT).map((n) => ({ [name]: `Number ${n}`, ...made })));
        await attach(column);
      }
      await trx('activities').insert(
        numbers(COUNT).map((n) => ({
          work_package_id: seeded.workPackages[0],
          author_id: member,
          kind: 'comment',
          comment_text: `Comment **${n}**`,
          internal: false,
          changes: '[]',
          ...times,
        })),
      );
      await attach('activity_id');
      await trx('storages').insert({
        type: 'SelfHostedFileServer',
        name: 'Nobody is connected',
        origin: 'https://files.example.test/',
        origin_key: 'files.example.test',
        authentication_method: 'TwoWayOAuth2',
        creator_id: member,
        ...times,
      });
      await trx('project_storages').insert({
        project_id: project,
        storage_id: 1,
        creator_id: member,
        project_folder_mode: 'inactive',
        ...times,
      });
      await trx('file_links').insert(
        numbers(LINKS).map((n) => ({
          work_package_id: seeded.workPackages[0],
          storage_id: 1,
          creator_id: member,
          origin_id: String(n),
          origin_name: `drawing ${n}.pdf`,
          ...times,
        })),
      );
    });
    if (client === 'postgres') await write.raw('vacuum analyze');
  });
