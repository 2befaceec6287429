/** Limits of the text and the structure of a document, checked before it is validated. */
import { ApolloArmor } from '@escape.tech/graphql-armor';
import type { RequestHandler } from 'express';
import { Kind, visit, type DocumentNode, type SelectionNode, type SelectionSetNode } from 'graphql';
import { InvalidQuery } from '../contract/errors.js';
import { withCommas } from '../contract/words.js';

const MAX_CHARACTERS = 20_000;
export const MAX_TOKENS = 4_000;
const MAX_SELECTIONS = 1_000;
const MAX_NAME = 100;

/** The rules of GraphQL Armor. Its limit of depth does not apply to introspection. */
export const { validationRules: structureRules } = new ApolloArmor({
  maxDepth: { n: 12 },
  maxAliases: { n: 30 },
  maxDirectives: { n: 20 },
  // `DocumentBudget` limits what is really read. A cost that is estimated from the document does
  // not limit that.
  costLimit: { enabled: false },
  // graphql-js counts the tokens. The parser of GraphQL Armor would answer syntax errors with 500.
  maxTokens: { enabled: false },
  // `formatError` removes suggestions, from errors about variables too.
  blockFieldSuggestion: { enabled: false },
}).protect();

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
  if (Math.max(written, countSelected(document)) > MAX_SELECTIONS)
    throw new InvalidQuery(
      `The document has more than ${withCommas(MAX_SELECTIONS)} selections. ` +
        'A fragment counts at each use.',
    );
}

/** Counts the selections of all operations. A fragment counts at each use. */
function countSelected({ definitions }: DocumentNode): number {
  const fragments = new Map<string, SelectionSetNode>();
  for (const one of definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one.selectionSet);
  const counts = new Map<SelectionSetNode, number>();
  const count = (set: SelectionSetNode | undefined): number => {
    if (!set) return 0;
    const known = counts.get(set);
    if (known !== undefined) return known;
    // A fragment that uses itself ends here. Validation refuses it afterwards.
    counts.set(set, 0);
    const total = set.selections.reduce((sum, one) => sum + 1 + count(below(one)), 0);
    counts.set(set, total);
    return total;
  };
  const below = (one: SelectionNode) =>
    one.kind === Kind.FRAGMENT_SPREAD ? fragments.get(one.name.value) : one.selectionSet;
  return definitions.reduce(
    (sum, one) => sum + (one.kind === Kind.OPERATION_DEFINITION ? count(one.selectionSet) : 0),
    0,
  );
}
