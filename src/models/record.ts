/** What every table has in common: snake_case columns, an integer key, ISO text times. */
import { Model, snakeCaseMappers } from 'objection';

export class Record extends Model {
  static override get columnNameMappers() {
    return mappers;
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

/** Both time columns of a new row. */
export const born = (now: string) => ({ createdAt: now, updatedAt: now });
