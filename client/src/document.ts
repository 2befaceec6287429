/** GraphQL documents as texts that carry the types of their results and variables. */

/**
 * A document: a plain string, a `TypedText`, or what GraphQL Code Generator makes with
 * `documentMode: 'string'`.
 */
export interface Document<Result, Variables> {
  /** The text of the document. */
  toString(): string;
  /** Never set. It carries the types. */
  readonly __apiType?: ((variables: Variables) => Result) | undefined;
}

/** The text of a document with the types of its result and its variables. */
export class TypedText<Result, Variables> extends String implements Document<Result, Variables> {
  declare readonly __apiType?: ((variables: Variables) => Result) | undefined;
}

/** The type of the data that a document asks for. */
export type ResultOf<D> = D extends Document<infer Result, infer _> ? Result : never;

/** The type of the variables that a document needs. */
export type VariablesOf<D> = D extends Document<infer _, infer Variables> ? Variables : never;

/** Variables can be left out if the document needs none. */
export type Arguments<Variables, Options> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: Options]
    : [variables: Variables, options?: Options];
