/** Routes of the notifications of the client. */
import { Router, type Request, type Response } from 'express';
import { NotFound } from '../../contract/errors.js';
import * as documents from '../generated/documents.js';
import { run } from '../documents/run.js';
import { page } from '../represent/collection.js';
import {
  representGroup,
  representNotification,
  representNotificationWithEmbeds,
} from '../represent/notification.js';
import { paths } from '../represent/paths.js';
import { hal, halList } from '../represent/respond.js';
import { idOf, locals } from '../request/locals.js';
import {
  notificationFilter,
  notificationGroup,
  notificationOrder,
} from '../request/notification-query.js';
import { pageOf, textOf } from '../request/page-and-filters.js';
import { readLongPage } from './long-pages.js';

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
  mark(res, notificationFilter(req), read);

const markOne = (read: boolean) => async (req: Request, res: Response) => {
  const id = idOf(req);
  // A filter with an unknown id is invalid. In a path, it is not found.
  await run(locals(res).context, documents.ViewNotificationDocument, { id });
  await mark(res, { ids: [id] }, read);
};

export const notifications = Router()
  .get('/notifications', async (req, res) => {
    const { context } = locals(res);
    const asked = pageOf(req);
    const by = notificationGroup(req);
    const filter = notificationFilter(req);
    const orderBy = notificationOrder(req);
    const found = await readLongPage(context, asked, async (part) => {
      const variables = { filter, orderBy: [...orderBy], ...part };
      return (await run(context, documents.ListNotificationsDocument, variables)).viewer
        .notifications;
    });
    const grouped =
      by && (await run(context, documents.GroupNotificationsDocument, { by, filter }));
    const body = {
      ...page(
        paths.notifications,
        found.total,
        found.nodes,
        asked,
        textOf(req, 'filters'),
        textOf(req, 'sortBy'),
      ),
      count: found.count,
      ...(grouped && { groups: grouped.viewer.notificationGroups.map(representGroup) }),
    };
    await halList(res, body, representNotification, found.more);
  })
  .post('/notifications/read_ian', markAll(true))
  .post('/notifications/unread_ian', markAll(false))
  .get('/notifications/:id', async (req, res) => {
    const reader = locals(res);
    const { notification } = await run(reader.context, documents.ViewNotificationDocument, {
      id: idOf(req),
    });
    if (!notification) throw new NotFound();
    hal(res, representNotificationWithEmbeds(reader, notification));
  })
  .post('/notifications/:id/read_ian', markOne(true))
  .post('/notifications/:id/unread_ian', markOne(false));
