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
    by: 'req.headers.accept !== EVENT_STREAM || !req.accepts([',
  },
  {
    row: 'D2 a session that has ended',
    source: 'auth/identify.ts',
    text: 'throw new SessionEnded();',
    by: 'return this.identify(undefined);',
  },
  {
    row: 'D2 a page of another person',
    source: 'auth/identify.ts',
    text: 'found && (shown ?? `${found.user.id}`) === `${found.user.id}`',
    by: 'found',
  },
  {
    row: 'D2 avatars',
    proof: 2,
    source: 'policies/can.ts',
    text: '!user.anonymous && (user.admin || user.id === id)',
    by: '!user.anonymous || user.admin || user.id === id',
  },
  {
    row: 'D2 GET /users/{id}/avatar',
    source: 'actions/avatars/open-avatar.ts',
    text: 'if (!user?.avatarKey || !user.avatarType) return undefined;',
    by: "if (!user?.avatarKey || !user.avatarType) throw new Error('no picture');",
  },
  {
    row: 'D2 objects of avatars',
    source: 'actions/avatars/swap-avatar.ts',
    text: '!(await cancelOrphanRemoval(trx, avatarKey))',
    by: 'avatarKey === String(cancelOrphanRemoval)',
  },
  {
    row: 'D2 notifications',
    source: 'actions/history/notify.ts',
    text: 'where people.id <> :author and',
    by: 'where',
    proof: 1,
  },
  {
    row: 'D2 one notification',
    source: 'actions/history/notify.ts',
    text: 'and ${table}.created_at > :mergedFrom',
    by: 'and ${table}.created_at <> :mergedFrom',
    proof: 1,
  },
  {
    row: 'D2 notify=false',
    source: 'rest/routes/containers.ts',
    text: "req.query['notify'] !== 'false'",
    by: 'req.query !== undefined',
  },
  {
    row: 'D2 reading notifications',
    source: 'policies/visible.ts',
    text: "sql('notifications.user_id = ?', CALLER_ID)",
    by: "sql('notifications.user_id <> ?', CALLER_ID)",
    proof: 2,
  },
  {
    row: 'D2 marking notifications',
    source: 'actions/notifications/mark-notifications.ts',
    text: 'if (marked < BATCH) return changed;',
    by: 'return changed;',
    proof: 3,
  },
  {
    row: 'D2 notificationReceived',
    source: 'resolvers/notification.ts',
    text: 'if (user.anonymous) throw new MissingPermission();',
    by: '',
  },
  {
    row: 'D2 NOTIFICATION_DAYS',
    source: 'actions/cleanup/run-cleanup.ts',
    text: 'settings.notificationDays * DAY_MS',
    by: '90 * DAY_MS',
  },
  {
    row: 'D2 entity tags of avatars',
    source: 'rest/routes/avatar.ts',
    text: 'if (hasAlready(req, etag)) {',
    by: 'if (hasAlready(req, opened.contentType)) {',
  },
  {
    row: 'D2 avatars and verify',
    source: 'actions/attachments/rows-with-objects.ts',
    text: "? null : { algorithm: 'sha256', hash: avatarDigest }",
    by: "? null : { algorithm: 'sha1', hash: avatarDigest }",
  },
  {
    row: 'D2 avatarUrl',
    source: 'actions/directory/avatar-urls.ts',
    text: "storedAs(row)?.['url'] ?? null) !== row.url",
    by: "storedAs(row)?.['url'] ?? null) !== row.url || row.url !== null",
  },
  {
    row: 'D2 avatarUrl, own pictures',
    source: 'actions/avatars/fetch-avatar.ts',
    text: '(await leased(trx, row).patch(done)) === 0',
    by: '(await leased(trx, row).patch(done)) < 0',
  },
  {
    row: 'D2 avatarUrl, failures',
    source: 'actions/avatars/fetch-avatar.ts',
    text: '(dueAt !== null && reason === row.lastError)',
    by: 'dueAt === null',
  },
];
