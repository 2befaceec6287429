/** Limits what one GraphQL document can cost: rows that it reads, fields, size of the answer. */
import { deferred } from '../concurrency/deferred.js';
import { Turns } from '../concurrency/turns.js';
import { withCommas } from '../contract/words.js';
import { AnswerTooLarge, InvalidQuery, type ApiError } from '../contract/errors.js';

/** Limit of the rows of all lists except the first one. */
const MAX_ROWS = 10_000;
/** Limit of the fields of all rows. A field that takes long counts as several. */
const MAX_FIELDS = 100_000;
/** Limit of the answer, in bytes. */
export const MAX_ANSWER = 16 * 1024 * 1024;

/** Searches of one document at a time, so that they do not hold up those of others. */
const SEARCHES_AT_ONCE = 4;

export interface Limits {
  rows: number;
  fields: number;
  bytes: number;
}

const DOCUMENT: Limits = { rows: MAX_ROWS, fields: MAX_FIELDS, bytes: MAX_ANSWER };

export class DocumentBudget {
  readonly #limits: Limits;
  readonly #answered: RowLimit;
  readonly #read: RowLimit;
  #fieldsLeft: number;
  #bytesLeft: number;
  #readBytesLeft: number;
  #refusal: ApiError | undefined;
  readonly #refused = deferred<never>();
  #turn: Promise<unknown> = Promise.resolve();
  readonly #searches = new Turns({ running: SEARCHES_AT_ONCE, waiting: Infinity }, '');

  constructor(limits = DOCUMENT) {
    this.#limits = limits;
    this.#answered = new RowLimit(limits);
    this.#read = new RowLimit(limits);
    this.#fieldsLeft = limits.fields;
    this.#bytesLeft = limits.bytes;
    this.#readBytesLeft = limits.bytes;
  }

  /** The error for the whole document, once the budget is exceeded. */
  get refusal(): ApiError | undefined {
    return this.#refusal;
  }

  /** Rejects with the error of `refusal`, when the budget is exceeded. */
  get refused(): Promise<never> {
    return this.#refused.promise;
  }

  /** The most rows to read for a list. With this number the list is refused already. */
  get mostRows(): number {
    return this.#read.left + 1;
  }

  /** Reading more bytes of texts than this would only be refused. */
  get mostBytes(): number {
    return Math.max(0, this.#readBytesLeft);
  }

  /**
   * Call it before each list is read.
   * @throws InvalidQuery if the budget is exceeded
   */
  demand(): void {
    if (this.#refusal) throw this.#refusal;
  }

  /**
   * Reads lists one after the other, in the order of the calls. So the rows of one list are counted
   * before the next one is read.
   */
  inTurn<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(() => {
      this.demand();
      return read();
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Reads lists that are searched and sorted, or counts them, a few at a time. */
  async search<T>(read: () => Promise<T>): Promise<T> {
    const end = await this.#searches.take('document');
    try {
      this.demand();
      return await read();
    } finally {
      end();
    }
  }

  /**
   * Counts the rows of a list in the answer. Rows that are in several places count at each place.
   * @throws InvalidQuery if the budget is exceeded
   */
  takeRows(rows: number): void {
    this.#take(this.#answered, rows);
  }

  /**
   * Counts the rows that were read for a list. They can be more than those of the answer so far.
   * @throws InvalidQuery if the budget is exceeded
   */
  takeReadRows(rows: number): void {
    this.#take(this.#read, rows);
  }

  /**
   * Counts the bytes of the texts that were read for a list.
   * @throws InvalidQuery if the answer could not have all of them
   */
  takeReadBytes(bytes: number): void {
    this.#readBytesLeft -= bytes;
    if (this.#readBytesLeft < 0) this.#refuse(new AnswerTooLarge(this.#limits.bytes));
    this.demand();
  }

  #take(limit: RowLimit, rows: number): void {
    if (!limit.take(rows))
      this.#refuse(
        new InvalidQuery(
          `The lists of this document have more than ${this.#limits.rows} rows together. ` +
            'Ask for fewer with first, or in several documents.',
        ),
      );
    this.demand();
  }

  /** Counts fields. Call it before they are resolved. @returns whether they are in the budget */
  takeFields(weight: number): boolean {
    this.#fieldsLeft -= weight;
    if (this.#fieldsLeft < 0)
      this.#refuse(
        new InvalidQuery(
          `The answer would have more than ${withCommas(this.#limits.fields)} fields. ` +
            'Ask for fewer rows with first, or for fewer fields.',
        ),
      );
    return this.#refusal === undefined;
  }

  /** Counts bytes of the answer. @returns whether they are in the budget */
  takeBytes(bytes: number): boolean {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.#refuse(new AnswerTooLarge(this.#limits.bytes));
    return this.#refusal === undefined;
  }

  #refuse(error: ApiError): void {
    if (this.#refusal) return;
    this.#refusal = error;
    this.#refused.reject(error);
  }
}

/** The first list of a document can be as long as its fields allow. */
class RowLimit {
  #isFirst = true;
  #left: number;

  constructor(private readonly limits: Limits) {
    this.#left = limits.rows;
  }

  get left(): number {
    return this.#isFirst ? this.limits.fields : Math.max(0, this.#left);
  }

  /** @returns whether the rows are within the limit */
  take(rows: number): boolean {
    const isWithin = rows <= this.left;
    if (!this.#isFirst) this.#left -= rows;
    this.#isFirst = false;
    return isWithin;
  }
}
