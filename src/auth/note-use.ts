/** Notes the minute of the last use of a session or an API key. */
import type { Logger } from 'pino';
import type { Database } from '../database/index.js';

export interface UseNeeds {
  db: Database;
  clock: () => Date;
  log: Logger;
  finishing: <T>(work: Promise<T>) => Promise<T>;
}

/** The request does not wait for it, and does not fail with it. */
export async function noteUse(
  { db, clock, log, finishing }: UseNeeds,
  table: 'api_keys' | 'sessions',
  { id, lastUsedAt }: { id: number; lastUsedAt: string | null },
): Promise<void> {
  const minute = `${clock().toISOString().slice(0, 16)}:00.000Z`;
  if (lastUsedAt !== null && lastUsedAt >= minute) return;
  try {
    await finishing(
      db
        .write(table)
        .where({ id })
        .update({ last_used_at: minute })
        .then(() => undefined),
    );
  } catch (error) {
    log.warn({ err: error, table, id }, 'The use of a credential could not be noted.');
  }
}
