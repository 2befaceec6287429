/** The examples of the explorer fit the schema. */
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';
import { examples } from '../../web/developers/explorer/examples.js';
import { expect, test } from '../support/jest.js';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

test.each(examples.map((example) => [example.title, example] as const))(
  'the example "%s" is a valid document with fitting variables',
  (_title, { query, variables = {} }) => {
    const document = parse(query);
    expect(validate(schema, document)).toEqual([]);
    const [operation, ...more] = document.definitions;
    expect(more).toEqual([]);
    if (operation?.kind !== 'OperationDefinition') throw new Error('It is no operation.');
    const definitions = operation.variableDefinitions ?? [];
    // The person chooses files when the example runs.
    const typed = definitions.filter(({ variable }) => variable.name.value !== 'file');
    expect(getVariableValues(schema, typed, variables).errors).toBeUndefined();
    expect(Object.keys(variables).sort()).toEqual(
      typed.map(({ variable }) => variable.name.value).sort(),
    );
  },
);
