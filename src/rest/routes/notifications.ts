/** Routes of the notifications of the client. */
import { Router, type Request, type Response } from 'express';
import { NotFound } from '../../contract/errors.js';
import * as documents from '../documents/index.js';
import { run } from '../documents/run.js';
import { page } from '../represent/collection.js';
import {
  representGroup,
  representNotification,
  representNotificationWithEmbeds,
} from '../represent/notification.js';
import { paths } from '../represent/paths.js';
import { hal } from '../represent/respond.js';
import { idOf, locals } from '../request/locals.js';
import {
  notificationFilter,
  notificationGroup,
  notificationOrder,
} from '../request/notification-query.js';
import { pageOf, textOf } from '../request/page-and-filters.js';

/** The largest page. */
const MOST = 200;

async function mark(
  res: Response,
  filter: documents.NotificationFilter,
  read: boolean,
): Promise<void> {
  const input = { filter, read };
  await run(locals(res).context, documents.MarkNotificationsReadDocument, { input });
  res.status(204).end();
}

const markAll = (read: boolean) => (req: Request, res: Response) =>
  mark(res, notificationFilter(req).filter, read);

const markOne = (read: boolean) => async (req: Request, res: Response) => {
  const id = idOf(req);
  // A filter with an unknown id is invalid. In a path, it is not found.
  await run(locals(res).context, documents.ViewNotificationDocument, { id });
  await mark(res, { ids: [id] }, read);
};

export const notifications = Router()
  .get('/notifications', async (req, res) => {
    const { context } = locals(res);
    const asked = pageOf(req, undefined, MOST);
    const by = notificationGroup(req);
    const selected = notificationFilter(req);
    const {
      viewer: {
        notifications: { totalCount, nodes },
      },
    } = await run(context, documents.ListNotificationsDocument, {
      ...selected,
      orderBy: notificationOrder(req),
      first: asked.pageSize,
      page: asked.offset,
    } as documents.ListNotificationsQueryVariables);
    const grouped =
      by && (await run(context, documents.GroupNotificationsDocument, { by, ...selected }));
    hal(res, {
      ...page(
        paths.notifications,
        totalCount,
        nodes.map(representNotification),
        asked,
        textOf(req, 'filters'),
        textOf(req, 'sortBy'),
      ),
      ...(grouped && { groups: grouped.viewer.notificationGroups.map(representGroup) }),
    });
  })
  .post('/notifications/read_ian', markAll(true))
  .post('/notifications/unread_ian', markAll(false))
  .get('/notifications/:id', async (req, res) => {
    const { context, profile } = locals(res);
    const { notification } = await run(context, documents.ViewNotificationDocument, {
      id: idOf(req),
    });
    if (!notification) throw new NotFound();
    hal(res, representNotificationWithEmbeds(profile, notification));
  })
  .post('/notifications/:id/read_ian', markOne(true))
  .post('/notifications/:id/unread_ian', markOne(false));
