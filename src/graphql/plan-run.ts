/** Runs the closures of a plan: resolves fields, completes their values, counts their costs. */
import { isEnumType, type GraphQLLeafType, type GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.js';
import type { DocumentBudget } from '../loaders/document-budget.js';
import { byteLength, PUNCTUATION } from './answer-costs.js';

export interface Variables {
  readonly [name: string]: unknown;
}

export interface PlanAnswer {
  [responseName: string]: unknown;
}

/**
 * @returns the data of an answer without errors
 * @throws the first error of a resolver, or LeftToGraphqlJs
 */
export type Plan = (context: Context, variables: Variables) => PlanAnswer | Promise<PlanAnswer>;

/**
 * Thrown for a value that a plan cannot complete, because it does not fit the type in the schema.
 * graphql-js then runs the query again, and reports the error. A mutation is not run again.
 */
export class LeftToGraphqlJs extends Error {}

export interface PlannedField {
  responseName: string;
  resolve: (source: unknown, args: object, context: Context, info: unknown) => unknown;
  complete: Complete;
  /** Undefined for a field without arguments. */
  argumentsOf: ((run: Run) => object) | undefined;
  /** Undefined if the resolver does not take this argument. */
  info: SharedInfo | undefined;
  /** Bytes of the name in the answer. */
  nameBytes: number;
  /** The value of `__typename`, which has no resolver. Undefined for all other fields. */
  constant: string | undefined;
}

/** What all calls of a resolver in one plan share. It has no path, because no resolver reads it. */
export type SharedInfo = Omit<GraphQLResolveInfo, 'variableValues' | 'path'>;

/** The last argument of a resolver. Its members are getters, so a call copies two members only. */
class Info implements Omit<GraphQLResolveInfo, 'path'> {
  constructor(
    private readonly shared: SharedInfo,
    readonly variableValues: Variables,
  ) {}

  get fieldName() {
    return this.shared.fieldName;
  }
  get fieldNodes() {
    return this.shared.fieldNodes;
  }
  get returnType() {
    return this.shared.returnType;
  }
  get parentType() {
    return this.shared.parentType;
  }
  get schema() {
    return this.shared.schema;
  }
  get fragments() {
    return this.shared.fragments;
  }
  get rootValue() {
    return this.shared.rootValue;
  }
  get operation() {
    return this.shared.operation;
  }
}

export interface ObjectPlan {
  fields: readonly PlannedField[];
  /** What one object costs before its fields are resolved. */
  weight: number;
}

/** Makes the value of the answer from what a resolver returned. */
export type Complete = (value: unknown, run: Run) => unknown;

/** One execution of a plan. */
export class Run {
  /** Arguments with variables, by the number of their field. */
  readonly args: (object | undefined)[] = [];
  /** Bytes of the answer that are not yet counted in the budget. */
  bytes = 0;
  /** Values that have not arrived yet. */
  #pending = 0;
  #failed = false;
  #done: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  constructor(
    readonly context: Context,
    readonly variables: Variables,
    readonly budget: DocumentBudget | undefined,
  ) {}

  /** Puts a value that arrives later into its place. */
  later(
    value: PromiseLike<unknown>,
    into: object,
    name: string | number,
    complete: Complete,
  ): void {
    this.#pending += 1;
    value.then(
      (arrived) => {
        if (this.#failed) return;
        try {
          (into as { [name: string | number]: unknown })[name] = complete(arrived, this);
        } catch (error) {
          return this.#end(error);
        }
        this.#pending -= 1;
        if (this.#pending === 0) this.#finish();
      },
      (error: unknown) => this.#end(error),
    );
  }

  #end(error: unknown): void {
    this.#failed = true;
    this.#fail?.(error);
  }

  /** Nothing more is put into the answer of a failed run. */
  abandon(): void {
    this.#failed = true;
  }

  #finish(): void {
    try {
      this.take(0, this.bytes);
      this.#done?.();
    } catch (error) {
      this.#end(error);
    }
  }

  finished(answer: PlanAnswer): PlanAnswer | Promise<PlanAnswer> {
    if (this.#pending === 0) {
      this.take(0, this.bytes);
      return answer;
    }
    return new Promise((resolve, reject) => {
      this.#done = () => resolve(answer);
      this.#fail = reject;
    });
  }

  /** Counts costs in the budget. @throws the error of the budget if the answer costs too much */
  take(fields: number, bytes: number): void {
    const { budget } = this;
    if (budget && !(budget.takeFields(fields) && budget.takeBytes(bytes))) budget.demand();
  }
}

const NOTHING = Object.freeze({});

/** Makes an object of the answer. */
export function valuesOf({ fields, weight }: ObjectPlan, source: unknown, run: Run): PlanAnswer {
  run.take(weight, run.bytes);
  run.bytes = 0;
  const answer: PlanAnswer = {};
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as PlannedField;
    const { responseName, constant, complete } = field;
    run.bytes += field.nameBytes;
    if (constant !== undefined) {
      answer[responseName] = constant;
      run.bytes += constant.length;
      continue;
    }
    const args = field.argumentsOf ? field.argumentsOf(run) : NOTHING;
    const info = field.info && new Info(field.info, run.variables);
    const value = field.resolve(source, args, run.context, info);
    if (isThenable(value)) {
      // Reserves the place: the names of an answer are in the order of the document.
      answer[responseName] = null;
      run.later(value, answer, responseName, complete);
    } else answer[responseName] = complete(value, run);
  }
  return answer;
}

export function completeLeaf(type: GraphQLLeafType): Complete {
  const isSerialized = serialized[type.name] ?? never;
  // Names of enums have no character that JSON escapes.
  const bytesOf = isEnumType(type) ? (name: unknown) => (name as string).length : byteLength;
  return (value, run) => {
    if (value === null || value === undefined) {
      run.bytes += PUNCTUATION;
      return null;
    }
    const result: unknown = isSerialized(value) ? value : type.serialize(value);
    if (result === undefined || result === null)
      throw new LeftToGraphqlJs('A value cannot be serialized.');
    if (run.budget) run.bytes += bytesOf(result);
    return result;
  };
}

/** @param complete for the elements */
export const completeList =
  (complete: Complete): Complete =>
  (value, run) => {
    if (value === null || value === undefined) return null;
    if (!Array.isArray(value)) throw new LeftToGraphqlJs('A list is no array.');
    const list: unknown[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const element: unknown = value[index];
      list.push(null);
      if (isThenable(element)) run.later(element, list, index, complete);
      else list[index] = complete(element, run);
    }
    return list;
  };

/** Reads a property of the parent, for fields without a resolver. */
export const readProperty =
  (name: string): PlannedField['resolve'] =>
  (source) => {
    const value = (source as { [property: string]: unknown } | undefined)?.[name];
    if (typeof value === 'function') throw new LeftToGraphqlJs('A property is a method.');
    return value;
  };

/** Values that scalars of GraphQL serialize as they are. */
const serialized: { [scalar: string]: ((value: unknown) => boolean) | undefined } = {
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ByteCount: (value) => typeof value === 'number',
  Int: (value) => typeof value === 'number' && (value | 0) === value,
};
const never = () => false;

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { then?: unknown }).then === 'function';
