/** The lifetimes of rows that no container has, and of the forms of prepared uploads. */

/** The time at which the cleanup may remove them, as ISO 8601. */
export const unclaimedUntil = (
  now: Date,
  { attachmentGraceMinutes }: { attachmentGraceMinutes: number },
): string => new Date(now.getTime() + attachmentGraceMinutes * 60_000).toISOString();

/** The time after which the store refuses the form of an upload that was prepared at `prepared`. */
export const formExpiry = (
  prepared: string,
  { uploadUrlSeconds }: { uploadUrlSeconds: number },
): string => new Date(Date.parse(prepared) + uploadUrlSeconds * 1_000).toISOString();
