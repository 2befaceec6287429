/** What every table has in common: snake_case columns, an integer key, ISO text times. */
import { Model, snakeCaseMappers } from 'objection';

export class Record extends Model {
  static override get columnNameMappers() {
    return mappers;
  }

  /** Columns that SQLite returns as 0 and 1. */
  static booleans: readonly string[] = [];

  /** One pass over the columns; Objection's own way copies each row three times. */
  static override fromDatabaseJson<M extends Model>(this: new () => M, json: object): M {
    const { booleans, jsonAttributes } = this as unknown as typeof Record;
    const row = new this() as M & { [property: string]: unknown };
    const properties: { [property: string]: unknown } = row;
    for (const column in json)
      properties[propertyOf(column)] = (json as { [column: string]: unknown })[column];
    for (const property of booleans)
      if (property in row) properties[property] = Boolean(row[property]);
    for (const property of jsonAttributes ?? [])
      if (typeof row[property] === 'string') properties[property] = JSON.parse(row[property]);
    return row;
  }

  declare id: number;
  declare createdAt: string;
  declare updatedAt: string;

  /** The integer of the HAL document; `id` itself is the global one in GraphQL. */
  get databaseId(): number {
    return this.id;
  }
}

const mappers = snakeCaseMappers();

const properties: { [column: string]: string | undefined } = Object.create(null);

/** `file_name` → `fileName` */
function propertyOf(column: string): string {
  return (properties[column] ??= Object.keys(mappers.parse({ [column]: null }))[0]!);
}

/** Both time columns of a new row. */
export const timestamps = (now: string) => ({ createdAt: now, updatedAt: now });
