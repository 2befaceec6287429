/** Imports the statuses and types of a directory file. */
import { Status } from '../../../models/status.js';
import { Type } from '../../../models/type.js';
import { emptyIds, listIndex, type Found, type ImportJob } from './job.js';
import * as shapes from './rows.js';
import { slices, upsert, type Values } from './write.js';

/** Collects the statuses and types of a file. They are few. */
export class KindsInFile {
  readonly #statuses = { rows: [] as Values[], taken: emptyIds() };
  readonly #types = { rows: [] as Values[], taken: emptyIds() };

  constructor(private readonly job: ImportJob) {}

  take(found: Found): void {
    const { job } = this;
    const position = listIndex(found) + 1;
    if (found.row === 'status') {
      const valid = job.validKeyed(found, shapes.statusRow, 'name', this.#statuses.taken);
      if (!valid) return;
      const { name, color, closed, default: isDefault } = valid.row;
      const row = { name, color, is_closed: closed, is_default: isDefault, position };
      this.#add(found, this.#statuses.rows, row);
    } else {
      const valid = job.validKeyed(found, shapes.typeRow, 'name', this.#types.taken);
      if (!valid) return;
      const { name, color, default: isDefault } = valid.row;
      this.#add(found, this.#types.rows, { name, color, is_default: isDefault, position });
    }
  }

  #add(found: Found, rows: Values[], row: Values): void {
    if (row['is_default'] && rows.some((other) => other['is_default']))
      this.job.reject(found.path, 'only one row can be the default');
    else rows.push(row);
  }

  async write(): Promise<void> {
    await this.#writeTable('statuses', this.#statuses.rows, {
      is_closed: false,
      is_default: false,
    });
    await this.#writeTable('types', this.#types.rows, { is_default: false });
    const { trx, statusIds, typeIds } = this.job;
    for (const { id, name } of await Status.query(trx)) statusIds.set(name, id);
    for (const { id, name } of await Type.query(trx)) typeIds.set(name, id);
  }

  async #writeTable(table: string, rows: Values[], defaults: Values): Promise<void> {
    const { job } = this;
    const standard = rows.find((row) => row['is_default']);
    // Without this, an earlier default would stay one besides the new one.
    if (standard)
      await job
        .trx(table)
        .update({ is_default: false })
        .whereNot('name', String(standard['name']))
        .where('is_default', true);
    for (const slice of slices(rows)) await upsert(job, table, slice, ['name'], defaults);
  }
}
