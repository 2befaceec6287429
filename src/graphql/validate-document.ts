/** Validates the documents of clients: first their limits, then the rules of GraphQL. */
import {
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLFormattedError,
} from 'graphql';
import { ApiError } from '../contract/errors.js';
import { checkStructure } from './document-limits.js';
import { schema } from './schema.js';

const rulesWithoutIntrospection = [...specifiedRules, NoSchemaIntrospectionCustomRule];

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
    const rules = introspection ? specifiedRules : rulesWithoutIntrospection;
    const errors = validate(schema, document, rules, { maxErrors: MAX_ERRORS });
    if (errors.length === 0) valid.add(document);
    return errors.map(({ message, locations }) =>
      message === 'Validation aborted.'
        ? { message: 'The document selects the same fields too often. Select each field once.' }
        : { message, ...(locations && { locations }) },
    );
  } catch (error) {
    if (error instanceof ApiError) return [{ message: error.message }];
    throw error;
  }
}
