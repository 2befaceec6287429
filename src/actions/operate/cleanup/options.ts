/** Options and results of the cleanup. */

/** Numbers of removed rows or objects. */
export interface CleanupReport {
  /** Expired prepared uploads and unclaimed attachments. */
  expired: number;
  /** Files whose time in the trash is over. */
  trash: number;
  /** Uploads and deletions whose process died, and orphaned objects. */
  abandoned: number;
  /** Staged objects that no prepared upload names. */
  staged: number;
  /** Half-written objects and multipart uploads whose process died. */
  unfinished: number;
  /** Old rows of the outbox. */
  events: number;
  /** Notifications older than `NOTIFICATION_DAYS`. */
  notifications: number;
  /** Entries of the audit older than `AUDIT_DAYS`. */
  audit: number;
  /** Expired unclaimed file links. */
  fileLinks: number;
  /** Expired codes, tokens, one-time links, sessions and counts of wrong passwords. */
  credentials: number;
  /** Old webhook deliveries, successful or given up. */
  deliveries: number;
  /** Changes of the used storage that are in the sums now. */
  usage: number;
}

export type Step = keyof CleanupReport;

export interface CleanupOptions {
  /** Counts only. */
  dryRun?: boolean;
  /** Stops the cleanup at the next row. */
  signal?: AbortSignal;
  /** Called when a step begins. */
  begins?: (step: Step) => void;
  /** Called with the count of each step that succeeded, even if another step failed. */
  removed?: (counts: Partial<CleanupReport>) => void;
}

/** In order: first the steps that need only the database, then those that also use the store. */

/** Rows per transaction. */
export const REMOVED_AT_ONCE = 200;
