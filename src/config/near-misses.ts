/** Variables of the environment that are probably misspelled settings. */

/** Shorter names are near too many others. */
const SHORTEST = 10;
const MOST_LETTERS = 2;

/** @returns a mistake for each */
export function nearMisses(
  environment: { readonly [name: string]: string | undefined },
  settings: readonly string[],
): string[] {
  const known = settings.flatMap((name) => [name, `${name}_FILE`]);
  return Object.entries(environment).flatMap(([given, value]) => {
    if (!value || given.length < SHORTEST || known.includes(given)) return [];
    const meant = known.find(
      (name) => name.length >= SHORTEST && distance(given, name) <= MOST_LETTERS,
    );
    return meant ? [`${given} is not a setting: did you mean ${meant}?`] : [];
  });
}

/** Letters to add, to leave out or to change (Levenshtein). */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > MOST_LETTERS) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [at, letter] of from.split('').entries()) {
    const next = [at + 1];
    for (const [index, other] of to.split('').entries())
      next.push(
        Math.min(next[index]! + 1, row[index + 1]! + 1, row[index]! + (letter === other ? 0 : 1)),
      );
    // Most names differ early, and each start compares thousands of pairs.
    if (Math.min(...next) > MOST_LETTERS) return Infinity;
    row = next;
  }
  return row[to.length]!;
}
