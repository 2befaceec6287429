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

/** Makes a row of a model from the values of its columns. */
export type RowMaker<M> = (values: readonly unknown[]) => M;

/** For rows without names. Each value is the column at its place in `columns`. */
export function rowMaker<M extends Model>(
  model: (new () => M) & Pick<typeof Record, 'booleans' | 'jsonAttributes'>,
  columns: readonly string[],
  from = 0,
): RowMaker<M> {
  const json = new Set(model.jsonAttributes ?? []);
  const converted = columns.map((column) => {
    const property = propertyOf(column);
    if (model.booleans.includes(property)) return { property, convert: Boolean };
    return json.has(property) ? { property, convert: parsed } : { property };
  });
  return (values) => {
    const row = new model() as M & Properties;
    const properties: Properties = row;
    for (let index = 0; index < converted.length; index += 1) {
      const { property, convert } = converted[index] as Converted;
      const value = values[from + index];
      properties[property] = convert ? convert(value) : value;
    }
    return row;
  };
}

interface Converted {
  property: string;
  convert?: (value: unknown) => unknown;
}

const parsed = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value);

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
