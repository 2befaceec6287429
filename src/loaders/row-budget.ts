/** Limits the rows of one GraphQL document, because nested lists multiply. */
import { InvalidQuery } from '../contract/errors.js';

/** Limit of the rows of all lists except the first one. */
export const MAX_ROWS = 10_000;

export class RowBudget {
  #lists = 0;
  #rows = 0;
  #left = MAX_ROWS;
  #refusal: InstanceType<typeof InvalidQuery> | undefined;

  /** The error for the whole document, once the budget is exceeded. */
  get refusal(): InstanceType<typeof InvalidQuery> | undefined {
    return this.#refusal;
  }

  /**
   * Call it before each list is read.
   * @throws InvalidQuery if the budget is exceeded
   */
  demand(): void {
    if (this.#refusal) throw this.#refusal;
  }

  /**
   * Counts the rows of a list. The first list of a document can have any length.
   * @returns the number of rows that the document has read so far
   * @throws InvalidQuery if the budget is exceeded
   */
  take(rows: number): number {
    this.#lists += 1;
    this.#rows += rows;
    if (this.#lists === 1) return this.#rows;
    this.#left -= rows;
    if (this.#left < 0)
      this.#refusal ??= new InvalidQuery(
        `The lists of this document have more than ${MAX_ROWS} rows together. ` +
          'Ask for fewer with first, or in several documents.',
      );
    this.demand();
    return this.#rows;
  }
}
