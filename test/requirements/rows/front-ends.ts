/** D2: additions for front ends. */
import { matrix, section, type Row } from '../row.js';
import {
  attachmentChanged,
  attachments,
  avatars,
  commandVerify,
  directoryAvatars,
  graphqlExecution,
  nestedLists,
  notificationsOverRest,
  notified,
  relay,
  server,
  sessions,
} from '../proofs.js';

export const frontEndRows: Row[] = [
  ...section('D2', [
    [
      'objects of the root',
      'Each is null on its own, with its error',
      'resolvers/attachment.ts',
      graphqlExecution('each object of the root is null'),
    ],
    [
      'nodes',
      'At most 100 objects by global id, null for those that the caller does not see',
      'resolvers/nodes.ts',
      relay('nodes returns objects of all', 'nodes has null for', 'nodes takes at most 100'),
    ],
    [
      'last, before',
      'Pages from the end of every list',
      'loaders/page.ts',
      [
        ...relay('last and before return the rows', 'reading from the end page by page'),
        ...nestedLists('the last rows of the lists of many'),
      ],
    ],
    [
      'attachmentAllowlist',
      'The permitted files, for a front end to say so before an upload',
      'resolvers/query.ts',
      attachments('the allowlist checks the detected'),
    ],
    [
      'exposed headers',
      'Retry-After is readable for pages of the origins in CORS_ORIGINS',
      'server.ts',
      server('pages of a configured origin can read'),
    ],
    [
      'Accept of streams',
      'Every one that allows event streams',
      'graphql/subscription-request.ts',
      attachmentChanged('accepts every Accept header that'),
    ],
    [
      'a session that has ended',
      '401 below /graphql and /api/v3; pages clear the cookie and lead to sign-in',
      'auth/identify.ts',
      sessions(
        'that has ended answers 401 over',
        'that has ended changes nothing for',
        'that has ended is forgotten',
      ),
    ],
    [
      'a page of another person',
      '401 when somebody else, or nobody, is signed in than the page shows',
      'auth/identify.ts',
      sessions('serves only the person whom'),
    ],
    [
      'avatars',
      'Set and removed by the person and by administrators, PNG or JPEG only',
      'actions/avatars/replace-avatar.ts',
      avatars(
        'is set by the person and shown',
        'is removed, also by',
        'of another user is not',
        'is not %s',
      ),
    ],
    [
      'GET /users/{id}/avatar',
      'For those who see the user; otherwise 404 with an empty body',
      'rest/routes/avatar.ts',
      avatars('is shown to those who see'),
    ],
    [
      'objects of avatars',
      'None is left over, and none is removed that a user has',
      'actions/cleanup/orphaned-objects.ts',
      avatars(
        'is known to verify and to',
        'of a process that died before',
        'that no row names is reported',
      ),
    ],
    [
      'notifications',
      'For the assignee, commenters and the author, of what others add; never of what they cannot see',
      'actions/history/notify.ts',
      notified(
        'notifies the assignee, the author and',
        'does not notify the author',
        'does not notify people who',
        'notifies only those who see file links',
        'that is internal notifies only',
        'with a file notifies, and',
      ),
    ],
    [
      'one notification',
      'What one person adds to one work package within five minutes',
      'actions/history/notify.ts',
      notified(
        'of one person within five minutes',
        'of one person after five minutes',
        'at the same time through two',
      ),
    ],
    [
      'notify=false',
      'Creates and changes work packages and comments without notifications',
      'rest/routes/containers.ts',
      notified('is claimed by PATCH with', 'comes with a new work package', 'with notify=false'),
    ],
    [
      'reading notifications',
      'Only own ones about work packages that the person still sees',
      'policies/visible.ts',
      [
        ...notified('a person who no longer sees', 'visitors have no notifications'),
        ...notificationsOverRest("has the client's own", 'of somebody else is not found'),
        ...matrix(['list notifications', 'count notifications', 'view notification']),
      ],
    ],
    [
      'marking notifications',
      'All, some by filters, or one; an invalid filter changes nothing',
      'actions/notifications/mark-notifications.ts',
      [
        ...notificationsOverRest(
          'are marked by their work package',
          'are all own ones',
          'with %s is refused, and nothing',
          'more than one batch',
        ),
        ...matrix([
          'mark one notification as read',
          'mark one notification as unread',
          'mark chosen notifications as read',
          'mark chosen notifications as unread',
          'mark all notifications as read',
          'mark all notifications as unread',
        ]),
      ],
    ],
    [
      'notificationReceived',
      'A subscription to own notifications',
      'resolvers/notification.ts',
      notified('a subscriber receives own notifications only'),
    ],
    [
      'NOTIFICATION_DAYS',
      'The cleanup removes older notifications',
      'actions/cleanup/run-cleanup.ts',
      notificationsOverRest('the cleanup removes old notifications only'),
    ],
    [
      'entity tags of avatars',
      'The digest of the bytes; 304 and 412 as for attachments',
      'rest/routes/avatar.ts',
      avatars('has the digest of its bytes'),
    ],
    [
      'avatars and verify',
      'Missing objects, and those of another size or digest',
      'actions/attachments/rows-with-objects.ts',
      commandVerify('are compared with their objects', 'that are replaced after their row'),
    ],
    [
      'avatarUrl',
      'Fetched once in the background, and removed by null',
      'actions/directory/avatar-urls.ts',
      directoryAvatars(
        'is fetched after the import, shown',
        'is taken back by null',
        'is fetched by another process',
        'is fetched by background work',
        'the address %.60s is a bad',
      ),
    ],
    [
      'avatarUrl, own pictures',
      'They win until the address changes',
      'actions/avatars/fetch-avatar.ts',
      directoryAvatars(
        'that waits or arrives does not',
        'is replaced by the person until',
        'that arrives after the address',
      ),
    ],
    [
      'avatarUrl, failures',
      'Logged once for each reason, tried ten times',
      'actions/avatars/fetch-avatar.ts',
      directoryAvatars(
        'is tried ten times in 7.5',
        'by %s keeps the picture before',
        'while the server is left alone',
        'of the store ends no attempt',
        'is an address that must not',
      ),
    ],
  ]),
];
