/** The arguments of lists whose pages have a largest size, and the pages of those that cannot be sorted. */
import { ArgsType, Field, Int } from 'type-graphql';
import type { Context } from '../context.js';
import { InvalidQuery } from '../contract/errors.js';
import { DEFAULT_FIRST, MAX_FIRST } from '../loaders/ordered-list.js';
import { pageArguments, type Page, type PageArguments, type Position } from '../loaders/page.js';
import type { ConnectionOf } from '../models/relay-connection.js';
import { connection } from './paging.js';

const RANGE = `0 to ${MAX_FIRST}`;

@ArgsType()
export class LimitedArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      `Number of rows from the start, ${RANGE}. Default: ${DEFAULT_FIRST}. ` +
      'Error: INVALID_QUERY for another number, or together with `last`.',
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Returns only rows after this cursor. Error: INVALID_QUERY if it is not one of this list.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `Number of rows from the end, ${RANGE}. Error: INVALID_QUERY for another number.`,
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Returns only rows before this cursor. Error: INVALID_QUERY if it is not one of this list.',
  })
  before?: string | null;
}

@ArgsType()
export class LimitedPagedArgs extends LimitedArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the page, from 1, with `first` rows on each page. It replaces cursors. ' +
      'Error: INVALID_QUERY for a number below 1, without `first`, or together with a cursor.',
  })
  page?: number | null;
}

/** REST's own documents have larger pages. @throws InvalidQuery */
export function demandPage({ budget }: Context, args: LimitedPagedArgs): void {
  const { size, fromEnd } = pageArguments(args);
  if (!budget || size === undefined || size <= MAX_FIRST) return;
  const name = fromEnd ? 'last' : 'first';
  throw new InvalidQuery(`The argument "${name}" is a number from 0 to ${MAX_FIRST}.`, name);
}

/** Reads a page of a list, as `connection` does. @throws InvalidQuery */
export function limitedConnection<T>(
  context: Context,
  args: LimitedPagedArgs,
  load: (page: PageArguments) => Promise<Page<T>>,
  positionOf: (node: T) => Position,
): Promise<ConnectionOf<T>> {
  demandPage(context, args);
  const { after, last, before, page } = args;
  const first = args.first ?? (last === undefined || last === null ? DEFAULT_FIRST : null);
  const sized: LimitedPagedArgs = { first, after, last, before, page };
  return connection(context, sized, load, positionOf);
}
