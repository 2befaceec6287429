/** Fills the long lists: work packages, projects, users, files and linked files that a search can find, and notifications of one person. */
import { Attachment } from '../../../src/models/attachment.js';
import { FileLink } from '../../../src/models/file-link.js';
import { Project } from '../../../src/models/project.js';
import { User } from '../../../src/models/user.js';
import { WorkPackage } from '../../../src/models/work-package.js';
import type { Services } from '../../../src/context.js';

const WORK_PACKAGES = 30_000;
/** Fewer than the rows that can be sorted by every column. */
const IN_SMALL_PROJECT = 9_000;
/** One about each work package. */
const NOTIFICATIONS = WORK_PACKAGES;
/** Files of work packages, and as many linked files. */
const FILES = WORK_PACKAGES;
const PROJECTS = 600;
const USERS = 3_000;
/** Rows per statement. SQLite joins at most 500 selections. */
const BATCH = 400;

/** Most words of one or two letters are in it. */
const TEXT = 'the quick brown fox jumps over the lazy dog 0123456789 "50%" ابجد \\_';

interface Values {
  [column: string]: string | number | boolean | null;
}

/**
 * The person is a member of all these projects.
 * @returns the id of a project with `IN_SMALL_PROJECT` work packages, and of the first work package
 */
export async function fillLists(
  { db }: Services,
  person: { id: number },
  project: { id: number },
  storage: { id: number },
): Promise<{ smallProject: number; manyWorkPackages: number }> {
  const now = new Date().toISOString();
  const times = { created_at: now, updated_at: now };
  const insert = async (table: string, count: number, row: (n: number) => Values) => {
    for (let from = 0; from < count; from += BATCH)
      await db.write.batchInsert(
        table,
        Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => ({
          ...row(from + n),
          ...times,
        })),
        BATCH,
      );
  };
  await insert('projects', PROJECTS, (n) => {
    const named = { identifier: `many-${n}`, name: `${TEXT} ${n}` };
    return { ...named, public: false, active: true, search_text: Project.searchTextOf(named) };
  });
  await insert('users', USERS, (n) => {
    const named = { firstName: TEXT, lastName: String(n), login: `many-${n}` };
    return {
      login: named.login,
      first_name: named.firstName,
      last_name: named.lastName,
      search_text: User.searchTextOf(named),
      admin: false,
      anonymous: false,
      status: 'active',
    };
  });
  const idsLike = (table: string, column: string): Promise<number[]> =>
    db.write(table).where(column, 'like', 'many-%').orderBy('id').pluck('id');
  const [projects, users] = await Promise.all([
    idsLike('projects', 'identifier'),
    idsLike('users', 'login'),
  ]);
  const { role_id } = await db
    .write('membership_roles')
    .join('memberships', 'memberships.id', 'membership_roles.membership_id')
    .where({ user_id: person.id, project_id: project.id })
    .first('role_id');
  const belongTo = async (count: number, row: (n: number) => Values) => {
    const before = await db.write('memberships').max({ id: 'id' });
    await insert('memberships', count, row);
    const added: number[] = await db
      .write('memberships')
      .where('id', '>', Number(before[0]?.['id'] ?? 0))
      .pluck('id');
    for (let from = 0; from < added.length; from += BATCH)
      await db
        .write('membership_roles')
        .insert(
          added.slice(from, from + BATCH).map((membership_id) => ({ membership_id, role_id })),
        );
  };
  await belongTo(PROJECTS, (n) => ({ user_id: person.id, project_id: projects[n]! }));
  await belongTo(USERS, (n) => ({ user_id: users[n]!, project_id: project.id }));
  const small = projects[0]!;
  const projectOf = (n: number) => (n < IN_SMALL_PROJECT ? small : projects[n % PROJECTS]!);
  await insert('work_packages', WORK_PACKAGES, (n) => {
    const subject = `${TEXT} ${n}`;
    return {
      subject,
      search_text: WorkPackage.searchTextOf({ subject }),
      project_id: projectOf(n),
      author_id: users[n % USERS]!,
      assignee_id: users[(n * 7) % USERS]!,
      responsible_id: users[(n * 11) % USERS]!,
      lock_version: 0,
      status_id: 1,
      type_id: 1,
    };
  });
  const [first] = await db.write('work_packages').where({ project_id: small }).min({ id: 'id' });
  const manyWorkPackages = Number(first?.['id']);
  await insert('attachments', FILES, (n) => {
    const named = { fileName: `${TEXT} ${n}`, descriptionText: TEXT };
    return {
      work_package_id: manyWorkPackages + n,
      project_id: projectOf(n),
      author_id: users[n % USERS]!,
      file_name: named.fileName,
      description_text: named.descriptionText,
      search_text: Attachment.searchTextOf(named),
      file_size: n,
      content_type: 'text/plain',
      blob_key: `many-${n}`,
      digest_algorithm: 'sha256',
      digest_hash: String(n),
      phase: 'kept',
      status: 'uploaded',
    };
  });
  await insert('project_storages', PROJECTS, (n) => ({
    project_id: projects[n]!,
    storage_id: storage.id,
    creator_id: person.id,
    project_folder_mode: 'inactive',
  }));
  await insert('file_links', FILES, (n) => {
    const originName = `${TEXT} ${n}`;
    return {
      work_package_id: manyWorkPackages + n,
      storage_id: storage.id,
      creator_id: users[n % USERS]!,
      origin_id: `many-${n}`,
      origin_name: originName,
      search_text: FileLink.searchTextOf({ originName }),
    };
  });
  await insert('notifications', NOTIFICATIONS, (n) => ({
    user_id: person.id,
    work_package_id: manyWorkPackages + n,
    actor_id: users[n % USERS]!,
    reason: ['assigned', 'commented', 'created'][n % 3]!,
    internal: n % 2 === 0,
    read: n % 5 === 0,
  }));
  return { smallProject: small, manyWorkPackages };
}
