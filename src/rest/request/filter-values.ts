/** Reads the operator and the values of a filter. Its messages differ from list to list. */
import { InvalidQuery } from '../../contract/errors.js';
import type { Condition } from './page-and-filters.js';

/** @param start the first words of each message, before the name of the filter */
export function filterReader(start: string) {
  const wrongOperator = (name: string) =>
    new InvalidQuery(
      `${start}${name} filter: operator is not set to one of the allowed values.`,
      'filters',
    );
  const invalidValues = (name: string) =>
    new InvalidQuery(`${start}${name} filter has invalid values.`, 'filters');
  return {
    wrongOperator,
    invalidValues,
    /** The only value of a filter. @throws InvalidQuery */
    only(
      { name, operator, values: [value, ...others] }: Condition<string>,
      wanted: string,
    ): string {
      if (operator !== wanted) throw wrongOperator(name);
      if (value === undefined || others.length > 0) throw invalidValues(name);
      return value;
    },
  };
}
