/** Lists that come in pages: the first page, and a button for the next ones. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure, Loading } from '../shell/failure';
import { numeral, say } from '../words';

interface Connection<Row> {
  totalCount: number;
  totalIsAtLeast?: boolean;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: Row[];
}

export const PAGE = 50;

/** @param load asks for one page; it gives back nothing when the list does not exist */
export function usePaged<Row>(
  key: readonly unknown[],
  load: (after: string | undefined, signal: AbortSignal) => Promise<Connection<Row> | undefined>,
) {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => (await load(pageParam, signal)) ?? null,
    getNextPageParam: (page) =>
      page?.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined,
    placeholderData: (previous) => previous,
  });
  const pages = query.data?.pages ?? [];
  const first = pages[0];
  return {
    query,
    rows: pages.flatMap((page) => page?.nodes ?? []),
    total: first ? totalOf(first) : '',
  };
}

/** Long lists are not counted to their end. */
export const totalOf = ({
  totalCount,
  totalIsAtLeast,
}: Pick<Connection<unknown>, 'totalCount' | 'totalIsAtLeast'>): string =>
  totalIsAtLeast ? say('app.atLeast', { count: totalCount }) : numeral(totalCount);

export function Paged<Row>({
  list,
  empty,
  more = true,
  children,
}: {
  list: ReturnType<typeof usePaged<Row>>;
  empty: ReactNode;
  /** Whether the next pages are offered. */
  more?: boolean;
  children: (rows: Row[]) => ReactNode;
}) {
  const { query, rows } = list;
  if (query.isPending) return <Loading />;
  if (query.isError && rows.length === 0)
    return <Failure error={query.error} again={() => void query.refetch()} />;
  if (rows.length === 0) return empty;
  return (
    <>
      {children(rows)}
      {more && query.hasNextPage && (
        <p className="blank">
          <button
            type="button"
            className="button"
            aria-disabled={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {say('app.more')}
          </button>
        </p>
      )}
    </>
  );
}
