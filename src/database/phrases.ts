/** SQL that the databases write differently. A list is one value, whose length differs from run to run. */
export interface Phrases {
  /** The value of the column is in a list. */
  isOneOf(column: string): string;
  /** The values of the column in all rows, as a list. They are numbers. */
  gathered(column: string): string;
  /** The text begins with one of a list. */
  beginsWithOneOf(text: string): string;
  /** The text contains all of a list. */
  hasAll(text: string): string;
  /** The text before the first line break. */
  firstLine(text: string): string;
  /** The value of a list. */
  listOf(values: readonly (number | string)[]): unknown;
}

export const postgresPhrases: Phrases = {
  isOneOf: (column) => `${column} = any(?)`,
  gathered: (column) => `coalesce(cast(array_agg(${column}) as text), '{}')`,
  beginsWithOneOf: (text) =>
    `exists (select from unnest(cast(? as text[])) as wanted where starts_with(${text}, wanted))`,
  hasAll: (text) =>
    `not exists (select from unnest(cast(? as text[])) as wanted where strpos(${text}, wanted) = 0)`,
  firstLine: (text) => `split_part(${text}, chr(10), 1)`,
  listOf: (values) => values,
};

export const sqlitePhrases: Phrases = {
  isOneOf: (column) => `${column} in (select value from json_each(?))`,
  gathered: (column) => `json_group_array(${column})`,
  beginsWithOneOf: (text) =>
    'exists (select 1 from json_each(?) as wanted' +
    ` where substr(${text}, 1, length(wanted.value)) = wanted.value)`,
  hasAll: (text) =>
    `not exists (select 1 from json_each(?) as wanted where instr(${text}, wanted.value) = 0)`,
  firstLine: (text) => `substr(${text}, 1, instr(${text} || char(10), char(10)) - 1)`,
  listOf: (values) => JSON.stringify(values),
};
