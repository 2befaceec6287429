/**
 * The part of the permission matrix for notifications.
 * It imports nothing from `src`.
 */
import type { Exclusion, Kind, OneProtocol, Operation, Table } from './expected.js';

export const notificationKinds = [
  // Of a file of a work package.
  'own notification',
  // Of a file of an internal comment.
  'own internal notification',
  "another's notification",
] as const;

export const notificationOperations = [
  'list notifications',
  'count notifications',
  'view notification',
  'mark one notification as read',
  'mark one notification as unread',
  'mark chosen notifications as read',
  'mark chosen notifications as unread',
  'mark all notifications as read',
  'mark all notifications as unread',
] as const;

// Everywhere: only own ones, and only of a visible work package. Internal ones require view_internal_comments too.
export const notificationTables: Table[] = [
  {
    // Lists, counts and marks contain those of the caller. Anonymous users have none.
    operations: [
      'list notifications',
      'count notifications',
      'mark all notifications as read',
      'mark all notifications as unread',
    ],
    cells: `
                                | an  st  bm  vi  ic  ib  ad  nm  nb  mb  vs
      own notification          | -   out out ok  ok  out ok  ok  out out -
      own internal notification | -   out out out ok  out ok  out out out -
      another's notification    | 403 out out out out out out out out out 403`,
  },
  {
    operations: [
      'view notification',
      'mark one notification as read',
      'mark one notification as unread',
    ],
    cells: `
                                | an  st  bm  vi  ic  ib  ad  nm  nb  mb  vs
      own notification          | -   404 404 ok  ok  404 ok  ok  404 404 -
      own internal notification | -   404 404 404 ok  404 ok  404 404 404 -
      another's notification    | 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // A filter with an id that is not visible is invalid.
    operations: ['mark chosen notifications as read', 'mark chosen notifications as unread'],
    cells: `
                                | an  st  bm  vi  ic  ib  ad  nm  nb  mb  vs
      own notification          | -   400 400 ok  ok  400 ok  ok  400 400 -
      own internal notification | -   400 400 400 ok  400 ok  400 400 400 -
      another's notification    | 403 400 400 400 400 400 400 400 400 400 403`,
  },
];

/** The callers with cells for notifications. */
const callersOfNotifications = ['an', 'st', 'bm', 'vi', 'ic', 'ib', 'ad', 'nm', 'nb', 'mb', 'vs'];

/** @param all the operations, kinds and callers of the whole matrix */
export function notificationExclusions(all: {
  operations: readonly Operation[];
  kinds: readonly Kind[];
  callers: string[];
}): Exclusion[] {
  const kinds: readonly Kind[] = notificationKinds;
  const operations: readonly Operation[] = notificationOperations;
  return [
    {
      operations,
      kinds: all.kinds.filter((kind) => !kinds.includes(kind)),
      reason: 'These operations read and mark notifications only.',
    },
    {
      operations: all.operations.filter((operation) => !operations.includes(operation)),
      kinds,
      reason: 'A notification is only read and marked. The service writes it.',
    },
    {
      operations,
      kinds,
      callers: all.callers.filter((code) => !callersOfNotifications.includes(code)),
      reason: 'Only two permissions matter for notifications. Others stand for these callers.',
    },
    {
      operations,
      kinds: ['own notification', 'own internal notification'],
      callers: ['an', 'vs'],
      reason: 'Anonymous users have no notifications.',
    },
  ];
}

export const notificationsOverOneProtocol: OneProtocol[] = [
  {
    operations: ['mark one notification as read', 'mark one notification as unread'],
    kinds: notificationKinds,
    protocol: 'REST',
    reason: 'In GraphQL, one notification is marked by a filter of `markNotificationsRead`.',
  },
];
