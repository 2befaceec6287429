/**
 * Marks the mutations that access tokens of applications may call. All others are refused to them.
 *
 * An application must not have access after its token has ended. So tokens cannot write what gives
 * access later: storages, secrets, webhooks and API keys.
 */
import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Context } from '../context.js';
import { MissingPermission } from '../contract/errors.js';

const MARK = 'forApplications';

/** Decorates a mutation that applications may call with an access token of their user. */
export const ForApplications = () => Extensions({ [MARK]: true });

/** Whether a mutation has the mark. */
export const isForApplications = ({
  extensions,
}: Pick<GraphQLField<unknown, Context>, 'extensions'>): boolean => extensions[MARK] === true;

/**
 * Call it before a mutation looks at any row, so that the refusal tells nothing about rows.
 * @throws MissingPermission for an access token, unless the mutation has the mark
 */
export function demandForApplications(
  { user }: Context,
  mutation: GraphQLField<unknown, Context>,
): void {
  if (user.byApplication && !isForApplications(mutation))
    throw new MissingPermission(
      'An application may not do this: sign in, or use an API key of your own.',
    );
}
