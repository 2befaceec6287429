/** The requests that read and mark notifications. */
import {
  inList,
  isNode,
  queryGraphql,
  rest,
  type Client,
  type OperationRequests,
  type Result,
} from './requests.js';
import type { notificationOperations } from './expected-notifications.js';
import type { Subject } from './targets.js';

type NotificationOperation = (typeof notificationOperations)[number];

const PATH = '/api/v3/notifications';

/** The fixtures give each kind another reason. */
const reasonsOf: { readonly [kind: string]: string } = {
  'own notification': 'assigned',
  'own internal notification': 'commented',
  "another's notification": 'created',
};
export const reasonOf = ({ kind }: Pick<Subject, 'kind'>): string => reasonsOf[kind]!;

/** The outcome of a count: `out` if nothing is counted for the reason of the kind. */
const inGroups = (
  result: Result,
  reasonsIn: (body: any) => (string | null)[],
  subject: Subject,
): Result =>
  result.outcome === 'ok' && !reasonsIn(result.body).includes(reasonOf(subject))
    ? { ...result, outcome: 'out' }
    : result;

const mark = (id: number | undefined, read: boolean) => ({
  rest: ({ app, person }: Client) => {
    const chosen =
      id === undefined
        ? ''
        : `?filters=${encodeURIComponent(JSON.stringify([{ id: { operator: '=', values: [String(id)] } }]))}`;
    return rest(
      app.request('POST', `${PATH}/${read ? 'read_ian' : 'unread_ian'}${chosen}`, { as: person }),
    );
  },
  graphql: (client: Client) =>
    queryGraphql(
      client,
      'mutation ($input: MarkNotificationsReadInput!) { markNotificationsRead(input: $input) { changed } }',
      { input: { read, ...(id !== undefined && { filter: { ids: [String(id)] } }) } },
    ),
});

const chosen = (read: boolean): OperationRequests => ({
  writes: true,
  consumes: true,
  rest: (client, { notificationId }) => mark(notificationId, read).rest(client),
  graphql: (client, { notificationId }) => mark(notificationId, read).graphql(client),
});

/** `out` if the request succeeds, but the notification is not marked. */
async function isMarked(
  { app }: Client,
  { notificationId }: Subject,
  read: boolean,
  result: Result,
): Promise<Result> {
  const row: { read: boolean | number } = await app.running.services.db
    .read('notifications')
    .where({ id: notificationId })
    .first('read');
  return result.outcome === 'ok' && Boolean(row.read) !== read
    ? { ...result, outcome: 'out' }
    : result;
}

const every = (read: boolean): OperationRequests => ({
  writes: true,
  consumes: true,
  rest: async (client, subject) =>
    isMarked(client, subject, read, await mark(undefined, read).rest(client)),
  graphql: async (client, subject) =>
    isMarked(client, subject, read, await mark(undefined, read).graphql(client)),
});

const offersLink = (name: string) => ({
  [`the link ${name}`]: {
    isOffered: async ({ app, person }: Client, { notificationId }: Subject) =>
      name in (await app.get(`${PATH}/${notificationId}`, person)).body._links,
  },
});

const one = (read: boolean): OperationRequests => ({
  writes: true,
  consumes: true,
  rest: ({ app, person }, { notificationId }) =>
    rest(
      app.request('POST', `${PATH}/${notificationId}/${read ? 'read_ian' : 'unread_ian'}`, {
        as: person,
      }),
    ),
  offers: offersLink(read ? 'readIAN' : 'unreadIAN'),
});

export const notificationRequests: {
  readonly [operation in NotificationOperation]: OperationRequests;
} = {
  'list notifications': {
    rest: async ({ app, person }, { notificationId }) =>
      inList(
        await rest(app.get(`${PATH}?pageSize=200`, person)),
        (body) => body._embedded.elements.map(({ id }: any) => id),
        notificationId,
      ),
    graphql: async (client, { notificationId }) =>
      inList(
        await queryGraphql(
          client,
          '{ viewer { notifications(first: 100) { nodes { databaseId } } } }',
          {},
        ),
        (body) => body.viewer.notifications.nodes.map(({ databaseId }: any) => databaseId),
        notificationId,
      ),
  },
  'count notifications': {
    rest: async ({ app, person }, subject) =>
      inGroups(
        await rest(app.get(`${PATH}?groupBy=reason`, person)),
        (body) => body.groups.map(({ value }: any) => value),
        subject,
      ),
    graphql: async (client, subject) =>
      inGroups(
        await queryGraphql(
          client,
          '{ viewer { notificationGroups(by: REASON) { reason count } } }',
          {},
        ),
        (body) => body.viewer.notificationGroups.map(({ reason }: any) => reason?.toLowerCase()),
        subject,
      ),
  },
  'view notification': {
    rest: ({ app, person }, { notificationId }) =>
      rest(app.get(`${PATH}/${notificationId}`, person)),
    graphql: (client, { notificationId }) =>
      queryGraphql(
        client,
        'query ($id: ID!) { notification(id: $id) { databaseId workPackage { subject } actor { name } activity { comment { raw } } } }',
        { id: String(notificationId) },
      ),
    alsoVisible: (client, { notificationId }) => isNode(client, 'Notification', notificationId),
  },
  'mark one notification as read': one(true),
  'mark one notification as unread': one(false),
  'mark chosen notifications as read': chosen(true),
  'mark chosen notifications as unread': chosen(false),
  'mark all notifications as read': every(true),
  'mark all notifications as unread': every(false),
};
