/** Validates the documents of clients: first their limits, then the rules of GraphQL. */
import { ApolloArmor } from '@escape.tech/graphql-armor';
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLFormattedError,
} from 'graphql';
import { ApiError } from '../contract/errors.js';
import { checkStructure } from './document-limits.js';
import { schema } from './schema.js';

/** The rules of GraphQL Armor. Its limit of depth does not apply to introspection. */
const { validationRules } = new ApolloArmor({
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

const publicRules = [...specifiedRules, ...validationRules];
const rulesWithoutIntrospection = [...publicRules, NoSchemaIntrospectionCustomRule];

/** A document with many mistakes is refused after this number of errors. */
const MAX_ERRORS = 20;

const valid = new WeakSet<DocumentNode>();

/** @returns the errors of the document; none if it is valid */
export function validateDocument(
  document: DocumentNode,
  { introspection }: { introspection: boolean },
): readonly GraphQLFormattedError[] {
  if (valid.has(document)) return [];
  try {
    checkStructure(document);
    const rules = introspection ? publicRules : rulesWithoutIntrospection;
    const errors = validate(schema, document, rules, { maxErrors: MAX_ERRORS });
    if (errors.length === 0) valid.add(document);
    return errors.map(({ message, locations }) =>
      message === 'Validation aborted.'
        ? { message: 'The document selects the same fields too often. Select each field once.' }
        : { message, ...(locations && { locations }) },
    );
  } catch (error) {
    // The rules of GraphQL Armor throw their errors.
    if (error instanceof GraphQLError) return [error.toJSON()];
    if (error instanceof ApiError) return [{ message: error.message }];
    throw error;
  }
}
