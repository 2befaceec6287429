/** The client without uploads: queries, mutations and subscriptions. */
import { Connection, type ClientOptions, type RequestOptions } from './connection.js';
import type { Arguments, Document } from './document.js';
import { subscribe, type SubscribeOptions } from './subscribe.js';

export type { Auth } from './credentials.js';
export type { ClientOptions, RequestOptions } from './connection.js';
export {
  TypedText,
  type Arguments,
  type Document,
  type ResultOf,
  type VariablesOf,
} from './document.js';
export {
  MoorageError,
  type ClientErrorCode,
  type ErrorDetails,
  type GraphqlError,
} from './errors.js';
export type { ErrorCode } from './generated/error-codes.js';
export type { StreamState, SubscribeOptions } from './subscribe.js';

/** A client of one service and one caller. */
export class CoreClient {
  protected readonly connection: Connection;

  constructor(options: ClientOptions) {
    this.connection = new Connection(options);
  }

  /**
   * Reads data.
   * @param args variables, and `{ signal }`
   * @throws MoorageError also for errors of single fields: the rest of the data is in `error.data`
   */
  query<Result = unknown, Variables = { [name: string]: unknown }>(
    document: Document<Result, Variables>,
    ...[variables, options]: Arguments<Variables, RequestOptions>
  ): Promise<Result> {
    return this.connection.ask(document, variables, options);
  }

  /** Changes data. It is sent once: if `error.isUnanswered`, nobody knows whether it happened. */
  mutate<Result = unknown, Variables = { [name: string]: unknown }>(
    document: Document<Result, Variables>,
    ...[variables, options]: Arguments<Variables, RequestOptions>
  ): Promise<Result> {
    return this.connection.ask(document, variables, options);
  }

  /**
   * Receives what happens from now on. It connects when it is first read, and connects again after
   * every loss. Read the present state again when `onState` reports `open`.
   * @param args variables, and `{ signal, onState }`
   * @returns the data of each event. The iteration ends when the signal is aborted, and throws
   *   MoorageError when the service refuses the caller or the document.
   */
  subscribe<Result = unknown, Variables = { [name: string]: unknown }>(
    document: Document<Result, Variables>,
    ...[variables, options = {}]: Arguments<Variables, SubscribeOptions>
  ): AsyncIterable<Result> {
    return subscribe(this.connection, document, variables, options);
  }
}

/** Makes a client without uploads. */
export const createClient = (options: ClientOptions): CoreClient => new CoreClient(options);
