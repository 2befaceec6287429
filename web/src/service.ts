/** The service behind the pages: one client, and one store of what it answered. */
import { QueryClient } from '@tanstack/react-query';
import { createClient, MoorageError } from 'moorage-client';
import { sessionEnded } from './shell/session-over';

let shown: number | undefined;

/** From now on the page is that of one person, whoever signs in in other windows. */
export const showPerson = (databaseId: number): void => void (shown ??= databaseId);
export const shownPerson = (): number | undefined => shown;

/** Uploads live here, so that they go on when the page changes. */
export const moorage = createClient({
  url: location.origin,
  auth: {
    person: () => shown,
    // Without a person there is nothing to go on with.
    ended: () => shown !== undefined && sessionEnded(),
  },
});

interface Page<Node> {
  nodes: readonly Node[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

/** Asks for all pages of a list, one after the other. */
export async function allPages<Node>(
  ask: (after: string | undefined) => Promise<Page<Node> | undefined>,
): Promise<Node[]> {
  const nodes: Node[] = [];
  let page = await ask(undefined);
  while (page) {
    nodes.push(...page.nodes);
    const { hasNextPage, endCursor } = page.pageInfo;
    page = hasNextPage && endCursor ? await ask(endCursor) : undefined;
  }
  return nodes;
}

export const isSignedOut = (error: unknown): boolean =>
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

/**
 * Asks again for what the page shows, because it has changed. A first load that is under way may have
 * read before the change. The store would take it for the new answer, so it is waited for.
 */
export async function askAgain(queryKey: readonly unknown[]): Promise<void> {
  const loading = answers.getQueryCache().findAll({
    queryKey,
    fetchStatus: 'fetching',
    predicate: ({ state }) => state.data === undefined,
  });
  await Promise.allSettled(loading.map(({ promise }) => promise));
  await answers.invalidateQueries({ queryKey });
}

/** The sign-in page, which leads back to this one. */
export const signInAddress = (): string =>
  `/login?return_to=${encodeURIComponent(location.pathname + location.search)}`;

answers.getQueryCache().subscribe((event) => {
  if (shown !== undefined || event.type !== 'updated' || event.action.type !== 'error') return;
  if (isSignedOut(event.action.error)) location.assign(signInAddress());
});
