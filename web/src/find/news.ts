/** Counts the unread notifications again when one comes. */
import { NotificationReceivedDocument } from '../documents';
import { useLive } from '../files/live';
import { answers } from '../service';

const again = (): void => {
  void answers.invalidateQueries({ queryKey: ['me'] });
  void answers.invalidateQueries({ queryKey: ['notifications'] });
};

export function useNews(): void {
  useLive('notifications', NotificationReceivedDocument, {}, again, again);
}
