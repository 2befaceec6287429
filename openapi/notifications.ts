/** The operations on notifications, and their documents. */
import * as documents from '../src/rest/generated/documents.js';
import { pageMembers } from './collections.js';
import { membersOf } from './derive.js';
import { links } from './links.js';
import {
  filterParameter,
  hal,
  idOf,
  noContent,
  operation,
  pageParameters,
  queryParameter,
} from './operation-parts.js';
import {
  action,
  array,
  count,
  described,
  embedded,
  link,
  object,
  oneOf,
  ref,
  text,
  titled,
  type Members,
  type Schema,
} from './shapes.js';

const tag = 'Notifications';

const filters = filterParameter(
  'JSON. Filters, each with `=`: `readIAN` (`t` or `f`), `reason`, `resourceId` (work packages), ' +
    '`resourceType` (`WorkPackage`), `project`, `id`.',
);
const sorted = queryParameter(
  'sortBy',
  'Orders as JSON, such as `[["id","asc"]]`: `id`, and in lists of up to 10,000 rows `reason`, ' +
    '`readIAN`. The newest is first by default.',
  { type: 'string', contentMediaType: 'application/json' },
);
const groupBy = queryParameter('groupBy', 'Adds `groups` with their numbers of notifications.', {
  type: 'string',
  enum: ['reason', 'project'],
});

const OWN = 'Only those of the client whose work package the client still sees.';

const markAll = (operationId: string, state: string) => ({
  post: operation({
    operationId,
    tag,
    summary: `Mark notifications as ${state}`,
    graphql: 'markNotificationsRead',
    description: `Without filters, all of the client. ${OWN} A body is ignored.`,
    parameters: [filters],
    answers: noContent(`They are ${state}.`),
    refusals: ['InvalidQuery', 'MissingPermission'],
  }),
});

const markOne = (operationId: string, state: string) => ({
  parameters: [idOf('notification')],
  post: operation({
    operationId,
    tag,
    summary: `Mark a notification as ${state}`,
    graphql: 'markNotificationsRead',
    description: 'It can be repeated. A body is ignored.',
    answers: noContent(`It is ${state}.`),
    refusals: ['NotFound'],
  }),
});

export const notificationPaths = {
  '/notifications': {
    get: operation({
      operationId: 'listNotifications',
      tag,
      summary: 'List the notifications of the client',
      graphql: 'viewer',
      description: OWN,
      parameters: [...pageParameters(), filters, sorted, groupBy],
      answers: hal(200, 'NotificationCollection', 'A page of notifications.'),
      refusals: ['InvalidQuery', 'MissingPermission'],
    }),
  },
  '/notifications/read_ian': markAll('markNotificationsRead', 'read'),
  '/notifications/unread_ian': markAll('markNotificationsUnread', 'unread'),
  '/notifications/{id}': {
    parameters: [idOf('notification')],
    get: operation({
      operationId: 'viewNotification',
      tag,
      summary: 'View a notification',
      graphql: 'notification',
      description: OWN,
      answers: hal(200, 'Notification', 'The notification.'),
      refusals: ['NotFound'],
    }),
  },
  '/notifications/{id}/read_ian': markOne('markNotificationRead', 'read'),
  '/notifications/{id}/unread_ian': markOne('markNotificationUnread', 'unread'),
};

const details = described('Always empty.', array(text));
const notification = {
  ...membersOf(documents.NotificationMembersFragmentDoc),
  _links: links({
    self: link('/notifications/{id}'),
    'readIAN?': action('/notifications/{id}/read_ian', 'post'),
    'unreadIAN?': action('/notifications/{id}/unread_ian', 'post'),
    actor: titled('/users/{id}'),
    'activity?': link('/activities/{id}'),
    resource: titled('/work_packages/{id}'),
    project: titled('/projects/{id}'),
  }),
};

const group: Schema = object({
  value: described('The reason, or the name of the project.', text),
  count: described('Number of notifications.', count),
  _links: object(
    { valueLink: described('The project. Empty for reasons.', array(link('/projects/{id}'))) },
    'Where the value comes from.',
  ),
});

export const notificationSchemas: Members = {
  Notification: object(
    {
      ...notification,
      _embedded: embedded({
        details,
        actor: ref('User'),
        project: ref('Project'),
        'activity?': described(
          'The comment, or the entry of the history.',
          oneOf(ref('EmbeddedComment'), ref('EmbeddedChangeRecord')),
        ),
        resource: ref('EmbeddedWorkPackage'),
      }),
    },
    'Tells the client that somebody else added files to a work package.',
  ),
  NotificationElement: object(
    { ...notification, _embedded: embedded({ details }) },
    'A notification in a list.',
  ),
  NotificationCollection: object(
    {
      ...pageMembers('NotificationElement', '/notifications'),
      'groups?': described('Only with `groupBy`. They count the newest 10,000.', array(group)),
    },
    'A page of notifications. `total` is at most 10,000.',
  ),
};
