/** The lifetimes of rows that no container has, of uploads, and of their forms. */

/** The time at which the cleanup may remove them, as ISO 8601. */
export const unclaimedUntil = (
  now: Date,
  { attachmentGraceMinutes }: { attachmentGraceMinutes: number },
): string => new Date(now.getTime() + attachmentGraceMinutes * 60_000).toISOString();

/** The time at which the cleanup may remove a resumable upload whose last sign of life is `now`. */
export const uploadUntil = (now: Date, { uploadDays }: { uploadDays: number }): string =>
  new Date(now.getTime() + uploadDays * 86_400_000).toISOString();

/** The time after which the store refuses the form of an upload that was prepared at `prepared`. */
export const formExpiry = (
  prepared: string,
  { uploadUrlSeconds }: { uploadUrlSeconds: number },
): string => new Date(Date.parse(prepared) + uploadUrlSeconds * 1_000).toISOString();
