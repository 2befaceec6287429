/** Lists within lists multiply: what one document may read, however little it says. */
import { InvalidQuery } from '../contract/errors.js';

const MAX_ROWS = 10_000;

export class RowBudget {
  #lists = 0;
  #rows = 0;
  #left = MAX_ROWS;
  #refusal: InstanceType<typeof InvalidQuery> | undefined;

  /** Why nothing of the document is answered. */
  get refusal(): InstanceType<typeof InvalidQuery> | undefined {
    return this.#refusal;
  }

  /** Before a list is read. @throws InvalidQuery where the document has had enough */
  demand(): void {
    if (this.#refusal) throw this.#refusal;
  }

  /**
   * Notes the rows of a list; the first one of a document may be as long as it is.
   * @returns how many rows the document has read by now
   * @throws InvalidQuery
   */
  take(rows: number): number {
    this.#lists += 1;
    this.#rows += rows;
    if (this.#lists === 1) return this.#rows;
    this.#left -= rows;
    if (this.#left < 0)
      this.#refusal ??= new InvalidQuery(
        `The lists of this document have more than ${MAX_ROWS} rows together. Ask for fewer with first, or in several documents.`,
      );
    this.demand();
    return this.#rows;
  }
}
