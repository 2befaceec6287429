/** Mutations of the additions for front ends. */
import type { Mutation } from './mutation.js';

export const frontEndMutations: readonly Mutation[] = [
  {
    row: 'D2 objects of the root',
    source: 'resolvers/attachment.ts',
    text: `nullable: true,
    description:
      'Returns one attachment.`,
    by: `description:
      'Returns one attachment.`,
  },
  {
    row: 'D2 nodes',
    proof: 1,
    source: 'policies/find.ts',
    text: 'reader.user.admin ? find.many(reader, ids) : [],',
    by: 'find.many(reader, ids),',
  },
  {
    row: 'D2 last, before',
    source: 'loaders/page.ts',
    text: 'nodes: fromEnd ? nodes.toReversed() : nodes',
    by: 'nodes: fromEnd ? nodes : nodes',
  },
  {
    row: 'D2 attachmentAllowlist',
    source: 'resolvers/query.ts',
    text: '[...settings.attachmentAllowlist]',
    by: '[...settings.attachmentAllowlist.slice(1)]',
  },
  {
    row: 'D2 exposed headers',
    source: 'server.ts',
    text: ", 'Retry-After']",
    by: ']',
  },
  {
    row: 'D2 Accept of streams',
    source: 'graphql/subscription-request.ts',
    text: '!req.accepts([EVENT_STREAM, ',
    by: 'req.headers.accept !== EVENT_STREAM && !req.accepts([',
  },
  {
    row: 'D2 a session that has ended',
    source: 'auth/identify.ts',
    text: 'throw new SessionEnded();',
    by: 'return this.identify(undefined);',
  },
];
