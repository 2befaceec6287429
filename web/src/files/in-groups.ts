/** The service changes so many attachments at once. */
const MANY = 100;

/** Attachments, or their ids, in groups that the service takes. */
export function inGroups<One>(all: readonly One[]): One[][] {
  const groups: One[][] = [];
  for (let from = 0; from < all.length; from += MANY) groups.push(all.slice(from, from + MANY));
  return groups;
}
