/** What others added to what concerns the person. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  MarkAllNotificationsReadDocument,
  MarkNotificationsReadDocument,
  NotificationsDocument,
  type NotificationsQuery,
} from '../generated/documents';
import { answers, moorage } from '../service';
import { Blank, reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { useMe } from '../shell/me';
import { tell } from '../shell/messages';
import { Heading } from '../shell/page';
import { Time } from '../shell/time';
import { say } from '../words';
import { listed } from '../words/formats';
import { PAGE, Paged, usePaged } from './paged';

type Notification = NotificationsQuery['viewer']['notifications']['nodes'][number];

export const loadNotifications =
  (unread: boolean, first: number) => async (after: string | undefined, signal: AbortSignal) =>
    (
      await moorage.query(
        NotificationsDocument,
        { first, after, unread: unread || undefined },
        { signal },
      )
    ).viewer.notifications;

async function mark(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tell(reasonOf(error));
  }
  await answers.invalidateQueries({ queryKey: ['notifications'] });
  await answers.invalidateQueries({ queryKey: ['me'] });
}
const markRead = (id: string): Promise<void> =>
  mark(() => moorage.mutate(MarkNotificationsReadDocument, { ids: [id], read: true }));
export const markAllRead = (): Promise<void> =>
  mark(() => moorage.mutate(MarkAllNotificationsReadDocument, {}));

export function Notifications() {
  const [unread, setUnread] = useState(false);
  const unreadCount = useMe().data?.viewer.unread.totalCount ?? 0;
  const list = usePaged(['notifications', unread], loadNotifications(unread, PAGE));
  return (
    <>
      <Heading title={say('notifications.title')} count={list.total} />
      <div className="wrap">
        <div className="head">
          <label className="row">
            <input
              type="checkbox"
              checked={unread}
              onChange={(event) => setUnread(event.target.checked)}
            />
            {say('notifications.unreadOnly')}
          </label>
          {unreadCount > 0 && (
            <button type="button" className="button" onClick={() => void markAllRead()}>
              <Icon name="check" />
              {say('notifications.readAll')}
            </button>
          )}
        </div>
        <Paged list={list} empty={<Blank icon="bell" title={say('notifications.none')} />}>
          {(rows) => <NotificationList notifications={rows} />}
        </Paged>
      </div>
    </>
  );
}

/** Names of the first two files, and how many more there are. */
function filesOf({ addedFiles: { names, totalCount } }: Notification): string {
  if (totalCount === 0) return say('notifications.files');
  const first = names.slice(0, 2);
  const more = totalCount - first.length;
  return listed(more > 0 ? [...first, say('notifications.more', { count: more })] : first);
}

export function NotificationList({ notifications }: { notifications: Notification[] }) {
  return (
    <ul>
      {notifications.map((one) => {
        const { id, read, reason, actor, workPackage, updatedAt } = one;
        return (
          <li className={`item ${read ? '' : 'fresh'}`} key={id}>
            <span className="face" aria-hidden="true">
              {actor.name.slice(0, 1)}
            </span>
            <div>
              <Link
                to="/work_packages/$id"
                params={{ id: String(workPackage.databaseId) }}
                // The page outlines them.
                state={{ added: one.addedFiles.names }}
                onClick={() => {
                  if (!read) void markRead(id);
                }}
              >
                <bdi>{workPackage.subject}</bdi>
              </Link>
              <p className="meta">
                {!read && <strong>{say('notifications.new')}</strong>}
                <span>
                  {say('notifications.added', { name: actor.name, files: filesOf(one) })}{' '}
                  {say(`notifications.${reason}`)}
                </span>
                <Time of={updatedAt} />
              </p>
            </div>
            {!read && (
              <button
                type="button"
                className="button quiet square"
                aria-label={`${say('notifications.markRead')}: ${workPackage.subject}`}
                onClick={() => void markRead(id)}
              >
                <Icon name="check" />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
