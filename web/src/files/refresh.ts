/** Asks the service again for the attachments of a container. */
import { askAgain } from '../service';

export const attachmentsKey = (containerId: string) => ['attachments', containerId] as const;

const soon = new Map<string, ReturnType<typeof setTimeout>>();
/** Asks again for the list. Changes that come together cost one request. */
export function refresh(containerId: string): void {
  clearTimeout(soon.get(containerId));
  const ask = (): void => {
    soon.delete(containerId);
    void askAgain(attachmentsKey(containerId));
  };
  soon.set(containerId, setTimeout(ask, 150));
}
