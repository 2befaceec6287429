/** The history of a work package, the newest entries first of all, kept in step with others. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import {
  HistoryDocument,
  WorkPackageChangedDocument,
  type HistoryEntryFragment,
} from '../generated/documents';
import { useLive } from '../files/live';
import { refresh as refreshFiles } from '../files/refresh';
import { askAgain, moorage } from '../service';
import { useMe } from '../shell/me';
import { speak } from '../shell/messages';
import { say } from '../words';

const PAGE = 30;
const historyKey = (workPackageId: string) => ['history', workPackageId] as const;

export const refreshHistory = (workPackageId: string): Promise<void> =>
  askAgain(historyKey(workPackageId));

export type History = ReturnType<typeof useHistory>;

export function useHistory(workPackageId: string) {
  const query = useInfiniteQuery({
    queryKey: historyKey(workPackageId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      moorage.query(
        HistoryDocument,
        { id: workPackageId, last: PAGE, before: pageParam },
        { signal },
      ),
    getNextPageParam: ({ workPackage }) =>
      workPackage?.activities.pageInfo.hasPreviousPage
        ? (workPackage.activities.pageInfo.startCursor ?? undefined)
        : undefined,
  });
  const refresh = (): void => void refreshHistory(workPackageId);
  useLive(
    'work package',
    WorkPackageChangedDocument,
    { workPackageId },
    ({ workPackageChanged: { commentId } }) => {
      refresh();
      // Its files are also in the list of the work package.
      if (commentId) refreshFiles(workPackageId);
    },
    refresh,
  );

  const pages = query.data?.pages ?? [];
  const entries = pages
    .toReversed()
    .flatMap(({ workPackage }) => workPackage?.activities.nodes ?? []);
  const total = pages[0]?.workPackage?.activities.totalCount ?? 0;
  return { ...query, entries, total, news: useNews(query.isPending, entries) };
}

const none: ReadonlySet<string> = new Set();

/** Ids of the comments that others have written since the page was opened. They are also spoken. */
function useNews(
  isPending: boolean,
  entries: readonly HistoryEntryFragment[],
): ReadonlySet<string> {
  const self = useMe().data?.viewer.databaseId;
  const newest = entries.at(-1)?.databaseId ?? 0;
  const seen = useRef<number>(undefined);
  const spoken = useRef(0);
  if (!isPending) seen.current ??= newest;
  const since = seen.current;
  const news =
    since === undefined
      ? []
      : entries.filter(
          ({ kind, databaseId, author }) =>
            kind === 'COMMENT' && databaseId > since && author.databaseId !== self,
        );
  const last = news.at(-1);
  useEffect(() => {
    if (!last || last.databaseId <= spoken.current) return;
    spoken.current = last.databaseId;
    speak(say('history.newLive', { name: last.author.name }));
  }, [last]);
  return news.length === 0 ? none : new Set(news.map(({ id }) => id));
}
