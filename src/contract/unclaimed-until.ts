/** The lifetime of attachments, file links and prepared uploads that no container has. */

/** The time at which the cleanup may remove them, as ISO 8601. */
export const unclaimedUntil = (
  now: Date,
  { attachmentGraceMinutes }: { attachmentGraceMinutes: number },
): string => new Date(now.getTime() + attachmentGraceMinutes * 60_000).toISOString();
