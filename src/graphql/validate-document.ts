/** Validates the documents of clients: first their limits, then the rules of GraphQL. */
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLFormattedError,
} from 'graphql';
import { ApiError } from '../contract/errors.js';
import { checkStructure, structureRules } from './document-limits.js';
import { schema } from './schema.js';

const publicRules = [...specifiedRules, ...structureRules];
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
