/** Makes mutations from data: the input, the payload, and the function that runs. */
import type { GraphQLScalarType } from 'graphql';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
  type ClassType,
} from 'type-graphql';
import type { MaybePromise } from '../concurrency/maybe-promise.js';
import type { Context } from '../context.js';
import { ForApplications } from './for-applications.js';

interface Options {
  readonly nullable?: true;
  readonly defaultValue?: unknown;
  readonly isRead?: true;
}

/** A GraphQL type (in brackets for a list), its description, and options. */
type Member = readonly [type: object, description: string, options?: Options];
interface Members {
  readonly [name: string]: Member;
}

/** A member that can be null, and be left out of an input. */
export const optional = <const T extends object>(type: T, description: string) =>
  [type, description, { nullable: true }] as const;

/** A member of an input with a default. */
export const byDefault = <const T extends object>(
  defaultValue: unknown,
  type: T,
  description: string,
) => [type, description, { defaultValue }] as const;

/** A member of a payload for which `run` returns a function. It is called for who selects it. */
export const readIfSelected = <const T extends object>(type: T, description: string) =>
  [type, description, { nullable: true, isRead: true }] as const;

/** A row by its id. @param noun such as "work package" */
export const idOfOne = (noun: string) => [ID, `Global id or integer id of the ${noun}.`] as const;

type ValueOf<T> = T extends readonly [infer Element]
  ? ValueOf<Element>[]
  : T extends GraphQLScalarType<infer Value, infer _Output>
    ? Value
    : T extends StringConstructor
      ? string
      : T extends BooleanConstructor
        ? boolean
        : T extends abstract new (...values: never[]) => infer Row
          ? Row
          : // An enum.
            T[keyof T];

type Nullable = readonly [object, string, { readonly nullable: true }];
type Read = readonly [object, string, { readonly isRead: true }];

/** The compiler does not know computed names: it checks the others. */
type Known<Name> = Name extends string ? (string extends Name ? never : Name) : never;

/** What members have as values. */
export type ValuesOf<M extends Members> = {
  [Name in Known<keyof M> as M[Name] extends Nullable ? never : Name]: ValueOf<M[Name][0]>;
} & {
  [Name in Known<keyof M> as M[Name] extends Nullable ? Name : never]?: M[Name] extends Read
    ? () => MaybePromise<ValueOf<M[Name][0]> | null | undefined>
    : ValueOf<M[Name][0]> | null;
};

function addMembers<M extends Members>(made: ClassType, members: M): ClassType<ValuesOf<M>> {
  for (const [name, [type, description, { isRead, ...options } = {}]] of Object.entries(members))
    if (!isRead) Field(() => type, { description, ...options })(made.prototype, name);
  // Cast: type-graphql sets the members of an input.
  return made as ClassType<ValuesOf<M>>;
}

/** An input inside another one. */
export function inputType<const M extends Members>(name: string, description: string, members: M) {
  const Input = class {};
  InputType(name, { description })(Input);
  return addMembers(Input, members);
}

/** The mutation, and the resolvers of its payload. */
export function mutation<const I extends Members, const P extends Members>(
  name: string,
  {
    description,
    forApplications,
    argument,
    about,
    input,
    payload,
    run,
  }: {
    /** What it does, and its errors. */
    description: string;
    /** Whether access tokens of applications may call it. */
    forApplications?: boolean;
    /** The description of the argument `input`. */
    argument: string;
    /** The description of the type of the input. */
    about: string;
    input: I;
    payload: P;
    run: (input: ValuesOf<I>, context: Context) => MaybePromise<ValuesOf<P>>;
  },
): ClassType[] {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const Input = inputType(`${title}Input`, about, input);
  const Payload = class {};
  ObjectType(`${title}Payload`, {
    description: `The result of \`${name}\`.`,
    simpleResolvers: true,
  })(Payload);
  addMembers(Payload, payload);
  const read = Object.entries(payload).filter(([, [, , options]]) => options?.isRead);

  @Resolver()
  class OneMutation {
    @Mutation(() => Payload, { name, description })
    async run(
      @Arg('input', () => Input, { description: argument }) values: ValuesOf<I>,
      @Ctx() context: Context,
    ): Promise<ValuesOf<P>> {
      const result = await run(values, context);
      // What the permission check has loaded is older than the change.
      if (read.length > 0) context.forgetLoaded();
      return result;
    }
  }
  if (forApplications) ForApplications()(OneMutation.prototype, 'run');
  return [OneMutation, ...read.map(([member, one]) => reader(Payload, member, one))];
}

/** The method has the name of the member: type-graphql tells methods by their names. */
function reader(Payload: ClassType, name: string, [type, description]: Member): ClassType {
  class Reader {
    [name](payload: { [member: string]: (() => unknown) | undefined }) {
      return payload[name]?.();
    }
  }
  Resolver(() => Payload)(Reader);
  FieldResolver(() => type, { nullable: true, description })(Reader.prototype, name, {});
  Root()(Reader.prototype, name, 0);
  return Reader;
}
