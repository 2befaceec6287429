/**
 * Marks the mutations that access tokens of applications may call, and API keys for files. All
 * others are refused to them. An API key that reads may call none.
 *
 * An application must not have access after its token has ended. So tokens cannot write what gives
 * access later: storages, secrets, webhooks and API keys.
 */
import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Context } from '../context.js';
import { MissingPermission } from '../contract/errors.js';
import { demandWrites } from '../policies/can.js';

const MARK = 'forApplications';

/** Decorates a mutation that applications may call with an access token of their user. */
export const ForApplications = () => Extensions({ [MARK]: true });

/** Whether a mutation has the mark. */
export const isForApplications = ({
  extensions,
}: Pick<GraphQLField<unknown, Context>, 'extensions'>): boolean => extensions[MARK] === true;

/**
 * Call it before a mutation looks at any row, so that the refusal tells nothing about rows.
 * @throws MissingPermission for an API key that reads, and for an API key for files or an access
 *   token, unless the mutation has the mark
 */
export function demandAccess(context: Context, mutation: GraphQLField<unknown, Context>): void {
  demandWrites(context);
  if (isForApplications(mutation)) return;
  if (context.user.byApplication)
    throw new MissingPermission(
      'An application may not do this: sign in, or use an API key of your own.',
    );
  if (context.user.keyAccess === 'files')
    throw new MissingPermission(
      'This API key is for files only: sign in, or use a key for everything.',
    );
}
