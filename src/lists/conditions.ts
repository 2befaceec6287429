/** Conditions for the rows of a list, by keys, texts and times. */
import { folded } from '../contract/folded-text.js';
import type { Database, Sql } from '../database/index.js';
import { demandSearch, isIndexed } from './search-words.js';

export interface Condition {
  filter: Sql;
  /**
   * Selects the keys by indexes; its parts are put together. `isFirst`: that is cheap to try, so it
   * comes before words.
   */
  start?: { parts: readonly Sql[]; isFirst: boolean };
}

/** A filter by the keys of one column. Absent: no limit. */
export interface Keys {
  oneOf?: readonly number[] | undefined;
  noneOf?: readonly number[] | undefined;
}

/** A filter by a name. Case and accents do not matter. */
export interface TextFilter {
  oneOf?: readonly string[] | null | undefined;
  noneOf?: readonly string[] | null | undefined;
  contains?: string | null | undefined;
  lacks?: string | null | undefined;
}

/** A filter by a time. Both ends belong to the range. */
export interface TimeRange {
  from?: string | null | undefined;
  until?: string | null | undefined;
}

export const sql = (text: string, values: Sql['values'] = []): Sql => ({ text, values });
export const listOf = (values: readonly unknown[]) => `(${values.map(() => '?').join(', ')})`;
export const never = sql('1 = 0');
export const allOf = (conditions: readonly Sql[]): Sql => joined(conditions, ' and ');
export const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? never : joined(conditions, ' or ');

const joined = (conditions: readonly Sql[], word: string): Sql => ({
  text: `(${conditions.map(({ text }) => text).join(word)})`,
  values: conditions.flatMap(({ values }) => values),
});

/** The `+` keeps databases from the index of the column, because they do not know how many match. */
export function keyConditions(
  table: string,
  column: string,
  { oneOf, noneOf }: Keys = {},
): Condition[] {
  const conditions: Condition[] = [];
  if (noneOf && noneOf.length > 0)
    conditions.push({
      filter: sql(`coalesce(${table}.${column}, 0) not in ${listOf(noneOf)}`, noneOf),
    });
  if (oneOf?.length === 0) conditions.push({ filter: never });
  else if (oneOf)
    conditions.push({
      filter: sql(`+${table}.${column} in ${listOf(oneOf)}`, oneOf),
      start: {
        parts: [
          sql(
            `select ${table}.id from ${table} where ${table}.${column} in ${listOf(oneOf)}`,
            oneOf,
          ),
        ],
        isFirst: column === 'id' || column === 'assignee_id',
      },
    });
  return conditions;
}

/** @throws InvalidQuery */
export function timeConditions(
  table: string,
  column: string,
  { from, until }: TimeRange = {},
): Condition[] {
  const bounds = [
    ...(from ? [sql(`${table}.${column} >= ?`, [from])] : []),
    ...(until ? [sql(`${table}.${column} <= ?`, [until])] : []),
  ];
  const filter = {
    text: bounds.map(({ text }) => text).join(' and '),
    values: bounds.flatMap(({ values }) => values),
  };
  if (bounds.length === 0) return [];
  const start = sql(`select ${table}.id from ${table} where ${filter.text}`, filter.values);
  return [{ filter, start: { parts: [start], isFirst: true } }];
}

/**
 * Conditions for rows by their `search_text`.
 * @param lines whether the text has several names, each in a line
 * @throws InvalidQuery for texts that are too long
 */
export function textConditions(
  db: Database,
  table: string,
  { oneOf, noneOf, contains, lacks }: TextFilter = {},
  lines = false,
): Condition[] {
  const column = `${table}.search_text`;
  const isOneOf = (names: readonly string[]): Sql => {
    if (names.length === 0) return never;
    const wanted = names.map(phraseOf);
    if (!lines) return sql(`${column} in ${listOf(wanted)}`, wanted);
    const matches = wanted.map((name) =>
      db.search.contains(`('\n' || ${column} || '\n')`, `\n${name}\n`),
    );
    return {
      text: `(${matches.map(({ text }) => text).join(' or ')})`,
      values: matches.flatMap(({ values }) => values),
    };
  };
  const not = ({ text, values }: Sql): Sql => sql(`not (${text})`, values);
  const conditions: Condition[] = [];
  if (oneOf) conditions.push({ filter: isOneOf(oneOf) });
  if (noneOf) conditions.push({ filter: not(isOneOf(noneOf)) });
  if (typeof lacks === 'string')
    conditions.push({ filter: not(db.search.contains(column, phraseOf(lacks))) });
  if (typeof contains === 'string') {
    const phrase = phraseOf(contains);
    conditions.push({
      filter: db.search.contains(column, phrase),
      ...(isIndexed(phrase) && {
        start: { parts: [db.search.keysOf(table, [phrase])], isFirst: false },
      }),
    });
  }
  return conditions;
}

/** The text as `search_text` has it. @throws InvalidQuery */
function phraseOf(text: string): string {
  demandSearch(text);
  return folded(text);
}

/** The parts of a list, from its conditions. */
export const startsOf = (conditions: readonly Condition[], isFirst: boolean): (readonly Sql[])[] =>
  conditions.flatMap(({ start }) => (start?.isFirst === isFirst ? [start.parts] : []));
