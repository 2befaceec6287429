/** The base class of all models: snake_case columns, an integer key, times as ISO text. */
import { Model, snakeCaseMappers } from 'objection';

interface Properties {
  [property: string]: unknown;
}

export class Record extends Model {
  static override get columnNameMappers() {
    return mappers;
  }

  /** Columns that SQLite returns as 0 and 1. */
  static booleans: readonly string[] = [];

  /** Reads a row in one pass. Objection's own method copies each row three times. */
  static override fromDatabaseJson<M extends Model>(
    this: (new () => M) & Pick<typeof Record, 'booleans' | 'jsonAttributes'>,
    json: object,
  ): M {
    const row = new this() as M & Properties;
    const properties: Properties = row;
    const columns = json as Properties;
    for (const column in columns) properties[propertyOf(column)] = columns[column];
    for (const property of this.booleans)
      if (property in row) properties[property] = Boolean(row[property]);
    // Objection declares it as always set, but a model without JSON columns has none.
    for (const property of this.jsonAttributes ?? [])
      if (typeof row[property] === 'string') properties[property] = JSON.parse(row[property]);
    return row;
  }

  declare id: number;
  declare createdAt: string;
  declare updatedAt: string;

  /** The integer id of HAL documents. In GraphQL, `id` is the global id. */
  get databaseId(): number {
    return this.id;
  }
}

const mappers = snakeCaseMappers();

const propertyNames: { [column: string]: string | undefined } = Object.create(null);

/** `file_name` → `fileName` */
function propertyOf(column: string): string {
  const known = propertyNames[column];
  if (known !== undefined) return known;
  const [property = column] = Object.keys(mappers.parse({ [column]: null }));
  return (propertyNames[column] = property);
}

/** Both time columns of a new row. */
export const timestamps = (now: string) => ({ createdAt: now, updatedAt: now });

/**
 * Asserts that a statement returned its row, such as `.patch(…).findById(…).returning('*')`.
 * Objection types that result as possibly undefined. Use it only while a lock keeps the row.
 * @throws Error if the row is missing, which is a bug
 */
export function lockedRow<M>(row: M | undefined): M {
  if (row === undefined) throw new Error('A row that this transaction has locked is missing.');
  return row;
}
