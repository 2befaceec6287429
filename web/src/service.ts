/** The service behind the pages: one client, and one store of what it answered. */
import { QueryClient } from '@tanstack/react-query';
import { createClient, MoorageError } from 'moorage-client';

/** Uploads live here, so that they go on when the page changes. */
export const moorage = createClient({ url: location.origin, auth: 'session' });

const signedOut = (error: unknown): boolean =>
  error instanceof MoorageError && error.status === 401;

export const answers = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => {
        const status = error instanceof MoorageError ? error.status : undefined;
        const final = status !== undefined && status >= 400 && status < 500 && status !== 429;
        return !final && failures < 3;
      },
    },
  },
});

/** Leads to the sign-in page and back. */
export function signInAgain(): void {
  const here = location.pathname + location.search;
  location.assign(`/login?return_to=${encodeURIComponent(here)}`);
}

answers.getQueryCache().subscribe((event) => {
  if (event.type === 'updated' && event.action.type === 'error' && signedOut(event.action.error))
    signInAgain();
});
