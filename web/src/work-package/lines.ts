/** The history as lines: a comment is one, and many small changes of a person are one together. */
import type { HistoryEntryFragment } from '../generated/documents';
import { say } from '../words';
import { listed } from '../words/formats';

type Entry = HistoryEntryFragment;
type Change = Entry['changes'][number];

type Line =
  | { key: string; comment: Entry }
  | { key: string; author: string; createdAt: string; action: Change['action']; changes: Change[] };

/** Changes further apart are told apart, in milliseconds. */
const TOGETHER = 60 * 60_000;
const NAMES = 5;

export function linesOf(entries: readonly Entry[]): Line[] {
  const lines: Line[] = [];
  for (const entry of entries) {
    if (entry.kind === 'COMMENT') lines.push({ key: entry.id, comment: entry });
    else
      for (const change of entry.changes)
        if (!joins(lines.at(-1), entry, change))
          lines.push({
            key: `${entry.id} ${lines.length}`,
            author: entry.author.name,
            createdAt: entry.createdAt,
            action: change.action,
            changes: [change],
          });
  }
  return lines;
}

/** Adds the change to the line before, if it says the same of another file. */
function joins(last: Line | undefined, { author, createdAt }: Entry, change: Change): boolean {
  if (!last || 'comment' in last) return false;
  const isNear = Date.parse(createdAt) - Date.parse(last.createdAt) < TOGETHER;
  const isSame = last.action === change.action && last.author === author.name;
  if (!isNear || !isSame || change.formerName || change.reason) return false;
  last.changes.push(change);
  last.createdAt = createdAt;
  return true;
}

/** `added plan.pdf, wall.jpg and 3 more` */
export function sentenceOf({ action, changes }: Extract<Line, { action: unknown }>): string {
  const names = changes.slice(0, NAMES).map(({ fileName }) => fileName);
  if (changes.length > NAMES) names.push(say('history.more', { count: changes.length - NAMES }));
  const [{ formerName, reason } = {}] = changes;
  return say(`history.${action}`, {
    names: listed(names),
    former: formerName ?? '',
    reason: reason ?? '',
  });
}
