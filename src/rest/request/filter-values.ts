/** Reads the operator and the values of a filter. Its messages differ from list to list. */
import { InvalidQuery } from '../../contract/errors.js';
import type { FilterCondition } from './page-and-filters.js';

/** @param start the first words of each message, before the name of the filter */
export function filterReader(start: string) {
  const wrongOperator = (name: string) =>
    new InvalidQuery(
      `${start}${name} filter: operator is not set to one of the allowed values.`,
      'filters',
    );
  const invalidValues = (name: string) =>
    new InvalidQuery(`${start}${name} filter has invalid values.`, 'filters');
  const only = (
    { name, operator, values: [value, ...others] }: FilterCondition<string>,
    wanted: string,
  ): string => {
    if (operator !== wanted) throw wrongOperator(name);
    if (value === undefined || others.length > 0) throw invalidValues(name);
    return value;
  };
  return {
    wrongOperator,
    invalidValues,
    /** The only value of a filter. @throws InvalidQuery */
    only,
    /** A filter by a name. @throws InvalidQuery */
    named(condition: FilterCondition<string>): TextFilter {
      const { name, operator, values } = condition;
      if (operator === '~') return { contains: only(condition, '~') };
      if (operator === '!~') return { lacks: only(condition, '!~') };
      if (operator !== '=' && operator !== '!') throw wrongOperator(name);
      if (values.length === 0) throw invalidValues(name);
      return operator === '=' ? { oneOf: values } : { noneOf: values };
    },
    /** Whether `t` is wanted, by `=` or `!`. @throws InvalidQuery */
    flag(condition: FilterCondition<string>): boolean {
      const { name, operator } = condition;
      if (operator !== '=' && operator !== '!') throw wrongOperator(name);
      const value = only(condition, operator);
      if (value !== 't' && value !== 'f') throw invalidValues(name);
      return (value === 't') === (operator === '=');
    },
  };
}

export interface TextFilter {
  oneOf?: string[];
  noneOf?: string[];
  contains?: string;
  lacks?: string;
}
