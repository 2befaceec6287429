/** The rows for all workloads: 100 work packages with 100 attachments each and 10,000 without, in one project with a few users. */
import { pino } from 'pino';
import { createHash } from 'node:crypto';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/database/index.js';
import { migrate } from '../src/database/migrations.js';
import { hashKey } from '../src/secrets/keys-and-tokens.js';

export const seeded = {
  /** The API key of an ordinary member of the project. */
  key: 'bench-0123456789abcdef0123456789abcdef01234567',
  workPackages: range(1, 100),
  attachments: range(1, 10_000),
  /** Work packages for uploads, so that the lists above keep their length. */
  inboxes: range(101, 16),
  /** Work packages without attachments, to search in. One in 100 has the same batch. */
  items: range(117, 10_000),
  searches: range(0, 100).map((n) => batchOf(n)),
};

const AUTHORS = 10;
const PERMISSIONS = [
  'view_work_packages',
  'add_work_packages',
  'edit_work_packages',
  'add_work_package_comments',
  'view_meetings',
  'view_messages',
  'view_wiki_pages',
];
const BATCH = 500;

export async function seed(databaseUrl: string): Promise<void> {
  const database = openDatabase(
    readConfig({ DATABASE_URL: databaseUrl }).database,
    pino({ level: 'warn' }),
  );
  try {
    await migrate(database);
    await database.write.transaction(async (trx) => {
      const insert = async (table: string, rows: object[]) => {
        for (let start = 0; start < rows.length; start += BATCH)
          await trx(table).insert(rows.slice(start, start + BATCH));
      };
      const times = {
        created_at: '2026-01-02T03:04:05.678Z',
        updated_at: '2026-01-02T03:04:05.678Z',
      };
      const [{ id: anonymous }] = (await trx('users').where({ anonymous: true }).select('id')) as [
        { id: number },
      ];
      const people = range(anonymous + 1, AUTHORS + 1);
      const member = people.at(-1)!;
      await insert(
        'users',
        people.map((n) => ({
          login: `person-${n}`,
          first_name: 'Person',
          last_name: `Number ${n}`,
          email: `person-${n}@example.org`,
          admin: false,
          anonymous: false,
          status: 'active',
          ...times,
        })),
      );
      await insert('api_keys', [
        { user_id: member, name: 'bench', key_hash: hashKey(seeded.key), ...times },
      ]);
      await insert('projects', [
        { identifier: 'bench', name: 'The measured project', public: false, ...times },
      ]);
      const [{ id: project }] = (await trx('projects').select('id')) as [{ id: number }];
      const [role] = (await trx('roles')
        .insert({ name: 'Measured member', ...times })
        .returning('id')) as [{ id: number }];
      await insert(
        'role_permissions',
        PERMISSIONS.map((permission) => ({ role_id: role.id, permission })),
      );
      await insert(
        'memberships',
        people.map((n) => ({ user_id: n, project_id: project, ...times })),
      );
      const memberships: { id: number }[] = await trx('memberships').select('id');
      await insert(
        'membership_roles',
        memberships.map(({ id }) => ({ membership_id: id, role_id: role.id })),
      );
      await insert(
        'work_packages',
        [...seeded.workPackages, ...seeded.inboxes].map((n) => ({
          project_id: project,
          author_id: people[n % AUTHORS],
          subject: `Work package number ${n}`,
          lock_version: 0,
          ...times,
        })),
      );
      await insert(
        'work_packages',
        seeded.items.map((n) => ({
          project_id: project,
          author_id: people[n % AUTHORS],
          subject: `Item ${n} of ${batchOf(n)}`,
          search_text: `item ${n} of ${batchOf(n)}`,
          lock_version: 0,
          ...times,
        })),
      );
      await insert(
        'attachments',
        seeded.attachments.map((n) => ({
          work_package_id: seeded.workPackages[Math.floor((n - 1) / 100)],
          author_id: people[n % AUTHORS],
          file_name: `drawing-${String((n * 7919) % 10_007).padStart(5, '0')}.pdf`,
          file_size: 10_000 + n,
          description_text: `Drawing ${n}, "as built"`,
          content_type: 'application/pdf',
          digest_algorithm: 'sha256',
          digest_hash: digestOf(`content ${n}`),
          status: 'uploaded',
          phase: 'kept',
          blob_key: digestOf(`key ${n}`).slice(0, 32),
          ...times,
        })),
      );
    });
    if (database.client === 'postgres') await database.write.raw('vacuum analyze');
  } finally {
    await database.close();
  }
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, n) => first + n);
}

/** A word in 1 of 100 of these work packages. */
function batchOf(n: number): string {
  return `batch${String(n % 100).padStart(2, '0')}`;
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
