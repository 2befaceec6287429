/** Notes the addresses of pictures in a directory file. The background work fetches them. */
import { DirectoryAvatar } from '../../../models/directory-avatar.js';
import { requireId, type ImportJob, type ValidRow } from './job.js';
import type { UserRow } from './rows.js';
import { lookUp, overwrite } from './write.js';

/**
 * An address that the directory named before is not fetched again.
 * @param users at most `BATCH` written rows
 */
export async function writeAvatarUrls(job: ImportJob, users: ValidRow<UserRow>[]): Promise<void> {
  const { tableName } = DirectoryAvatar;
  const named = users.flatMap(({ row: { login, avatarUrl: url } }) =>
    url === undefined ? [] : [{ user_id: requireId(job.ids.users[login], login), url }],
  );
  if (named.length === 0) return;
  const storedAs = await lookUp(job, tableName, named, ['user_id'], ['url']);
  const changed = named.filter((row) => (storedAs(row)?.['url'] ?? null) !== row.url);
  await overwrite(
    job,
    tableName,
    changed.map((row) => ({
      ...row,
      due_at: job.now,
      lease_token: null,
      attempts: 0,
      last_error: null,
    })),
    ['user_id'],
  );
}
