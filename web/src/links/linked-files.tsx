/** Files of storages that are linked from a work package, grouped by storage. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  LinkedFilesDocument,
  WorkPackageChangedDocument,
  type StorageHeadingFragment,
} from '../generated/documents';
import { useLive } from '../files/live';
import { askAgain, moorage } from '../service';
import { Failure, Loading } from '../shell/failure';
import { numeral, say } from '../words';
import { Berth } from './berth';
import { FolderDialog } from './folder-dialog';

const PAGE = 100;

export function LinkedFiles({
  workPackageId,
  mayManage,
}: {
  workPackageId: string;
  mayManage: boolean;
}) {
  const [browsing, setBrowsing] = useState<StorageHeadingFragment>();
  const queryKey = ['links', workPackageId];
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      moorage.query(
        LinkedFilesDocument,
        { id: workPackageId, first: PAGE, after: pageParam },
        { signal },
      ),
    getNextPageParam: ({ workPackage }) =>
      workPackage?.fileLinks.pageInfo.hasNextPage
        ? (workPackage.fileLinks.pageInfo.endCursor ?? undefined)
        : undefined,
  });
  const refresh = (): void => void askAgain(queryKey);
  useLive('work package', WorkPackageChangedDocument, { workPackageId }, refresh, refresh);

  const first = query.data?.pages[0]?.workPackage;
  const storages = first?.project.storages ?? [];
  const links = (query.data?.pages ?? []).flatMap(
    ({ workPackage }) => workPackage?.fileLinks.nodes ?? [],
  );
  return (
    <section aria-labelledby="links">
      <div className="head">
        <h2 id="links" tabIndex={-1}>
          {say('links.title')}{' '}
          <span className="count">{numeral(first?.fileLinks.totalCount ?? 0)}</span>
        </h2>
      </div>
      {query.isPending ? (
        <Loading />
      ) : !first ? (
        <Failure error={query.error} again={() => void query.refetch()} />
      ) : (
        <div className="berths">
          {storages.length === 0 && links.length === 0 && (
            <p className="zone soft">{say('links.noStorages')}</p>
          )}
          {storages.map((storage) => (
            <Berth
              key={storage.id}
              storage={storage}
              links={links.filter((link) => link.storage.id === storage.id)}
              asking={query.isFetching}
              mayManage={mayManage}
              browse={() => setBrowsing(storage)}
              refresh={refresh}
            />
          ))}
        </div>
      )}
      {query.hasNextPage && (
        <p className="blank">
          <button type="button" className="button" onClick={() => void query.fetchNextPage()}>
            {say('app.more')}
          </button>
        </p>
      )}
      {browsing && (
        <FolderDialog
          storage={browsing}
          workPackageId={workPackageId}
          onClose={() => {
            setBrowsing(undefined);
            refresh();
          }}
        />
      )}
    </section>
  );
}
