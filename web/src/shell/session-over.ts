/** Whether the session of this page has ended, and whether the person is asked about it. */
import { useSyncExternalStore } from 'react';

type Session = 'lasts' | 'asking' | 'later';

let session: Session = 'lasts';
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** The service has refused a request. Whoever has put the question off is not asked again. */
export function sessionEnded(): void {
  if (session === 'lasts') become('asking');
}
export const askToSignIn = (): void => become('asking');
export const putOff = (): void => become('later');
export const sessionBack = (): void => become('lasts');

export const useSession = (): Session =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
