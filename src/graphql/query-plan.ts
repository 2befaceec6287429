/**
 * Plans operations: makes the closures that run an operation, once for each operation. It generates
 * no code from the text of a document. What a plan cannot do is left to graphql-js.
 */
import {
  getArgumentValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { nameLength, weightOfField } from './answer-costs.js';
import {
  completeLeaf,
  completeList,
  LeftToGraphqlJs,
  readProperty,
  Run,
  valuesOf,
  type Complete,
  type ObjectPlan,
  type Plan,
  type PlannedField,
  type SharedInfo,
} from './plan-run.js';

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
        // A field of this name would set the prototype of the answer.
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
    // A field of introspection.
    if (!definition) throw new NotPlanned();
    const own = definition.resolve as PlannedField['resolve'] | undefined;
    const resolve = own ?? readProperty(fieldName);
    return {
      responseName,
      nameBytes,
      resolve,
      complete: this.#complete(definition.type, nodes),
      argumentsOf: this.#argumentsOf(definition, node),
      info: resolve.length > 3 ? this.#info(parentType, definition, nodes) : undefined,
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
    if (isListType(type)) return completeList(this.#complete(type.ofType, nodes));
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
}
