/** Limits of the text and the structure of a document, checked before it is validated. */
import type { RequestHandler } from 'express';
import { Kind, visit, type DocumentNode, type SelectionNode, type SelectionSetNode } from 'graphql';
import { InvalidQuery } from '../contract/errors.js';
import { withCommas } from '../contract/words.js';

const MAX_CHARACTERS = 20_000;
export const MAX_TOKENS = 4_000;
const MAX_SELECTIONS = 1_000;
const MAX_NAME = 100;
const MAX_DEPTH = 12;
const MAX_ALIASES = 30;
const MAX_DIRECTIVES = 20;

/** Refuses a long document before it is parsed. */
export const limitLength: RequestHandler = (req, _res, next) => {
  for (const text of [queryIn(req.body), queryIn(req.query)])
    if (typeof text === 'string' && text.length > MAX_CHARACTERS)
      return next(
        new InvalidQuery(`The document has more than ${withCommas(MAX_CHARACTERS)} characters.`),
      );
  next();
};

const queryIn = (parameters: unknown): unknown =>
  (parameters as { query?: unknown } | undefined)?.query;

/**
 * Validation compares selections in pairs, and answers repeat names. So both are limited first.
 * @throws InvalidQuery
 */
export function checkStructure(document: DocumentNode): void {
  let written = 0;
  visit(document, {
    Name({ value }) {
      if (value.length > MAX_NAME)
        throw new InvalidQuery(
          `A name in the document has more than ${MAX_NAME} characters: ` +
            `${value.slice(0, MAX_NAME)}…`,
        );
    },
    SelectionSet({ selections }) {
      written += selections.length;
    },
  });
  const { selections, depth, aliases, directives } = measure(document);
  if (Math.max(written, selections) > MAX_SELECTIONS)
    throw new InvalidQuery(
      `The document has more than ${withCommas(MAX_SELECTIONS)} selections. ` +
        'A fragment counts at each use.',
    );
  if (depth > MAX_DEPTH)
    throw new InvalidQuery(
      `The document has a depth of ${depth}. At most ${MAX_DEPTH} is allowed.`,
    );
  if (aliases > MAX_ALIASES)
    throw new InvalidQuery(`The document has more than ${MAX_ALIASES} aliases.`);
  if (directives > MAX_DIRECTIVES)
    throw new InvalidQuery(`The document has more than ${MAX_DIRECTIVES} directives.`);
}

/** What all operations have together. The depth is that of the deepest one. */
interface Measure {
  selections: number;
  depth: number;
  aliases: number;
  directives: number;
}

const NOTHING: Measure = { selections: 0, depth: 0, aliases: 0, directives: 0 };

const together = (all: readonly Measure[]): Measure =>
  all.reduce(
    (sum, one) => ({
      selections: sum.selections + one.selections,
      depth: Math.max(sum.depth, one.depth),
      aliases: sum.aliases + one.aliases,
      directives: sum.directives + one.directives,
    }),
    NOTHING,
  );

/** Measures all operations. A fragment counts at each use, but it is no level of the depth. */
function measure({ definitions }: DocumentNode): Measure {
  const fragments = new Map<string, SelectionSetNode>();
  for (const one of definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one.selectionSet);
  const known = new Map<SelectionSetNode, Measure>();
  const ofSet = (set: SelectionSetNode | undefined): Measure => {
    if (!set) return NOTHING;
    const before = known.get(set);
    if (before) return before;
    // A fragment that uses itself ends here. Validation refuses it afterwards.
    known.set(set, NOTHING);
    const found = together(set.selections.map(ofSelection));
    known.set(set, found);
    return found;
  };
  const ofSelection = (one: SelectionNode): Measure => {
    const below = ofSet(
      one.kind === Kind.FRAGMENT_SPREAD ? fragments.get(one.name.value) : one.selectionSet,
    );
    const own = {
      selections: below.selections + 1,
      aliases: below.aliases,
      directives: below.directives + (one.directives?.length ?? 0),
    };
    if (one.kind !== Kind.FIELD) return { ...own, depth: below.depth };
    return {
      ...own,
      aliases: own.aliases + (one.alias ? 1 : 0),
      // Tools send one deep query for the whole schema.
      depth: one.name.value === '__schema' ? 0 : below.depth + 1,
    };
  };
  return together(
    definitions.flatMap((one) => {
      if (one.kind !== Kind.OPERATION_DEFINITION) return [];
      const directives = one.directives?.length ?? 0;
      return [ofSet(one.selectionSet), { ...NOTHING, directives }];
    }),
  );
}
