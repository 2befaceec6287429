/**
 * Runs operations by closures that are made once for each of them. Nothing of a document becomes
 * code. What a plan cannot do is left to graphql-js.
 */
import {
  defaultFieldResolver,
  getArgumentValues,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from '../context.js';
import type { DocumentBudget } from '../loaders/document-budget.js';
import { byteLength, nameLength, PUNCTUATION, weightOfField } from './answer-costs.js';

export interface Variables {
  readonly [name: string]: unknown;
}

export interface Answer {
  [responseName: string]: unknown;
}

/**
 * @returns the data of an answer without errors
 * @throws the first error of a resolver, or LeftToGraphqlJs
 */
export type Plan = (context: Context, variables: Variables) => Answer | Promise<Answer>;

/** A value that the schema does not allow here. */
export class LeftToGraphqlJs extends Error {}

class NotPlanned extends Error {}

/** The fields of one plan. Nested fragments can expand to more. */
const MAX_FIELDS = 2_000;

export interface PlannedOperation {
  plan: Plan;
  /** The number of its fields. */
  size: number;
}

/**
 * Makes the plan of a valid operation.
 * @returns undefined for directives, subscriptions, several mutations, and very many fields
 */
export function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): PlannedOperation | undefined {
  if (operation.operation === 'subscription') return undefined;
  try {
    const planner = new Planner(schema, document, operation);
    const plan = planner.plan();
    return { plan, size: planner.size };
  } catch (error) {
    if (error instanceof NotPlanned) return undefined;
    throw error;
  }
}

interface PlannedField {
  responseName: string;
  resolve: (source: unknown, args: object, context: Context, info: unknown) => unknown;
  complete: Complete;
  /** Undefined for a field without arguments. */
  argumentsOf: ((run: Run) => object) | undefined;
  /** Undefined if the resolver does not take it. */
  info: SharedInfo | undefined;
  /** Bytes of the name in the answer. */
  nameBytes: number;
  /** The value, where no resolver gives one: `__typename`. */
  constant: string | undefined;
}

/** What all calls of a resolver in one plan share. It has no path, because no resolver reads it. */
type SharedInfo = Omit<GraphQLResolveInfo, 'variableValues' | 'path'>;

/** The last argument of a resolver. Its members are getters, so that a call makes few of them. */
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

interface ObjectPlan {
  fields: readonly PlannedField[];
  /** What one object costs before its fields are resolved. */
  weight: number;
}

/** Makes the value of the answer from what a resolver returned. */
type Complete = (value: unknown, run: Run) => unknown;

/** One execution of a plan. */
class Run {
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

  finished(answer: Answer): Answer | Promise<Answer> {
    if (this.#pending === 0) {
      this.take(0, this.bytes);
      return answer;
    }
    return new Promise((resolve, reject) => {
      this.#done = () => resolve(answer);
      this.#fail = reject;
    });
  }

  /** @throws the error of the budget if the answer costs more than the caller was given */
  take(fields: number, bytes: number): void {
    const { budget } = this;
    if (budget && !(budget.takeFields(fields) && budget.takeBytes(bytes))) budget.demand();
  }
}

class Planner {
  readonly #fragments: { [name: string]: FragmentDefinitionNode } = Object.create(null);
  /** The number of planned fields. */
  size = 0;
  #fieldsWithArguments = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
  ) {
    for (const definition of document.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION)
        this.#fragments[definition.name.value] = definition;
  }

  plan(): Plan {
    const { schema, operation } = this;
    const type = schema.getRootType(operation.operation);
    if (!type) throw new NotPlanned();
    const root = this.#objectPlan(type, [operation.selectionSet]);
    // Several mutations run one after the other.
    if (operation.operation === 'mutation' && root.fields.length > 1) throw new NotPlanned();
    return (context, variables) => {
      const run = new Run(context, variables, context.budget);
      try {
        return run.finished(valuesOf(root, undefined, run));
      } catch (error) {
        run.abandon();
        throw error;
      }
    };
  }

  #objectPlan(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): ObjectPlan {
    const selected = new Map<string, FieldNode[]>();
    const seen = new Set<string>();
    for (const set of sets) this.#collect(type, set, selected, seen);
    const fields = [...selected].map(([name, nodes]) => this.#field(type, name, nodes));
    const weight = [...selected.values()].reduce(
      (sum, [node]) => sum + weightOfField(type.getFields()[node?.name.value ?? '']),
      0,
    );
    return { fields, weight };
  }

  /** The fields of a selection for an object of the type, by their names in the answer. */
  #collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    into: Map<string, FieldNode[]>,
    seen: Set<string>,
  ): void {
    for (const selection of selections) {
      if (selection.directives?.length) throw new NotPlanned();
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        // It would set the prototype of the answer.
        if (name === '__proto__') throw new NotPlanned();
        const nodes = into.get(name);
        if (nodes) nodes.push(selection);
        else into.set(name, [selection]);
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (seen.has(selection.name.value)) continue;
        seen.add(selection.name.value);
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments[selection.name.value];
      if (!fragment || fragment.directives?.length) throw new NotPlanned();
      if (this.#applies(fragment.typeCondition?.name.value, type))
        this.#collect(type, fragment.selectionSet, into, seen);
    }
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const wanted = this.schema.getType(condition);
    return isAbstractType(wanted) && this.schema.isSubType(wanted, type);
  }

  #field(parentType: GraphQLObjectType, name: string, nodes: readonly FieldNode[]): PlannedField {
    this.size += 1;
    if (this.size > MAX_FIELDS) throw new NotPlanned();
    const [node] = nodes as [FieldNode];
    const responseName = name;
    const nameBytes = nameLength(name);
    const fieldName = node.name.value;
    if (fieldName === '__typename')
      return {
        responseName,
        nameBytes,
        resolve: () => parentType.name,
        complete: (value) => value,
        argumentsOf: undefined,
        info: undefined,
        constant: parentType.name,
      };
    const definition = parentType.getFields()[fieldName];
    // Introspection.
    if (!definition) throw new NotPlanned();
    const resolve = (definition.resolve ?? defaultFieldResolver) as PlannedField['resolve'];
    const takesInfo = resolve === (defaultFieldResolver as unknown) || resolve.length > 3;
    return {
      responseName,
      nameBytes,
      resolve,
      complete: this.#complete(definition.type, nodes),
      argumentsOf: this.#argumentsOf(definition, node),
      info: takesInfo ? this.#info(parentType, definition, nodes) : undefined,
      constant: undefined,
    };
  }

  #argumentsOf(
    definition: GraphQLField<unknown, unknown>,
    node: FieldNode,
  ): PlannedField['argumentsOf'] {
    if (definition.args.length === 0) return undefined;
    const number = this.#fieldsWithArguments;
    this.#fieldsWithArguments += 1;
    return (run) => (run.args[number] ??= getArgumentValues(definition, node, run.variables));
  }

  #info(
    parentType: GraphQLObjectType,
    { name: fieldName, type: returnType }: GraphQLField<unknown, unknown>,
    fieldNodes: readonly FieldNode[],
  ): SharedInfo {
    const { schema, operation } = this;
    const fragments = this.#fragments;
    return {
      fieldName,
      fieldNodes,
      returnType,
      parentType,
      schema,
      fragments,
      rootValue: undefined,
      operation,
    };
  }

  #complete(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    if (isNonNullType(type)) {
      const complete = this.#complete(type.ofType, nodes);
      return (value, run) => {
        const completed = complete(value, run);
        if (completed === null) throw new LeftToGraphqlJs('A required value is missing.');
        return completed;
      };
    }
    if (isListType(type)) return this.#completeList(type.ofType, nodes);
    if (isLeafType(type)) return completeLeaf(type);
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (isObjectType(type)) {
      const plan = this.#objectPlan(type, sets);
      return (value, run) =>
        value === null || value === undefined ? null : valuesOf(plan, value, run);
    }
    const plans = new Map(
      this.schema.getPossibleTypes(type).map((one) => [one.name, this.#objectPlan(one, sets)]),
    );
    return (value, run) => {
      if (value === null || value === undefined) return null;
      // The types of this schema are named by a function that returns no promise.
      const name = type.resolveType?.(value, run.context, undefined as never, type) as string;
      const plan = plans.get(name);
      if (!plan)
        throw new LeftToGraphqlJs('A value has a type that the schema does not allow here.');
      return valuesOf(plan, value, run);
    };
  }

  #completeList(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    const complete = this.#complete(type, nodes);
    return (value, run) => {
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
  }
}

const NOTHING = Object.freeze({});

function valuesOf({ fields, weight }: ObjectPlan, source: unknown, run: Run): Answer {
  run.take(weight, run.bytes);
  run.bytes = 0;
  const answer: Answer = {};
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

function completeLeaf(type: GraphQLLeafType): Complete {
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

/** Values that scalars of GraphQL serialize as they are. */
const serialized: { [scalar: string]: ((value: unknown) => boolean) | undefined } = {
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Float: (value) => typeof value === 'number' && Number.isFinite(value),
  Int: (value) => typeof value === 'number' && (value | 0) === value,
};
const never = () => false;

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { then?: unknown }).then === 'function';
