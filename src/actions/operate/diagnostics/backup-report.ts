/** When the last backup was reported. */
import type { Services } from '../../../context.js';

const TABLE = 'backup_report';

/** @returns the time of the report */
export async function reportBackup({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<string> {
  const reportedAt = clock().toISOString();
  await db.write(TABLE).insert({ id: 1, reported_at: reportedAt }).onConflict('id').merge();
  return reportedAt;
}

export async function lastBackup({ db }: Pick<Services, 'db'>): Promise<string | null> {
  const row: { reported_at: string } | undefined = await db.read(TABLE).first('reported_at');
  return row?.reported_at ?? null;
}
