/** Counts the unread notifications again when one comes. */
import { NotificationReceivedDocument } from '../generated/documents';
import { useLive } from '../files/live';
import { askAgain } from '../service';

const again = (): void => {
  void askAgain(['me']);
  void askAgain(['notifications']);
};

export function useNews(): void {
  useLive('notifications', NotificationReceivedDocument, {}, again, again);
}
