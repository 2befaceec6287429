/** The words of enums: the values that the database and HAL have for the names in the graph. */
import { isEnumType } from 'graphql';
import { schema } from './schema.js';

function valuesOf(type: string) {
  const found = schema.getType(type);
  if (!isEnumType(found)) throw new Error(`The graph has no enum ${type}.`);
  return found.getValues();
}

/** The words by the names of an enum. */
export const wordsOf = <Name extends string, Word extends string = string>(type: string) =>
  // Cast: `Object.fromEntries` loses the names.
  Object.fromEntries(valuesOf(type).map(({ name, value }) => [name, value as Word])) as {
    readonly [name in Name]: Word;
  };

/** The names by the words of an enum. */
export const namesOf = <Word extends string, Name extends string>(type: string) =>
  // Cast: `Object.fromEntries` loses the words.
  Object.fromEntries(valuesOf(type).map(({ name, value }) => [value as Word, name])) as {
    readonly [word in Word]: Name;
  };
