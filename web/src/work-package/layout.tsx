/** The parts of a work package's page: description, files and activity, side by side or in tabs. */
import { Link, useRouterState } from '@tanstack/react-router';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useAttachments, useCounts } from '../files/attachments-query';
import { useOpenFile } from '../files/open-file';
import { Viewer } from '../files/viewer';
import { Icon } from '../shell/icon';
import { numeral, say } from '../words';
import { About, type WorkPackage } from './about';
import { Activity } from './activity';
import { useHistory } from './history-query';

/** Style sheets give the activity a column from the same width. */
const wide = matchMedia('(min-width: 1600px)');
const subscribe = (listener: () => void): (() => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};
const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

/** In the order of the comments. */
const inComments = {
  orderBy: 'CREATED_AT_ASC',
  search: '',
  within: { scope: 'comments', filters: {} },
} as const;

export function Layout({ workPackage, files }: { workPackage: WorkPackage; files: ReactNode }) {
  const history = useHistory(workPackage.id);
  const count = useCounts(workPackage.id, true)?.all.totalCount;
  const isWide = useIsWide();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const id = String(workPackage.databaseId);
  // Nothing is shown that would be empty.
  const hasActivity = workPackage.viewerCanComment || history.isPending || history.total > 0;
  const isTab = !isWide && hasActivity;
  const isActivity = isTab && path.endsWith('/activity');

  return (
    <>
      {isTab && (
        <nav className="tabs" aria-label={say('history.views')}>
          <Link
            to="/work_packages/$id"
            params={{ id }}
            activeOptions={{ exact: true }}
            aria-current={isActivity ? undefined : 'page'}
          >
            <Icon name="grid" />
            {say('history.files')}
            {count !== undefined && <span className="count">{numeral(count)}</span>}
          </Link>
          <Link
            to="/work_packages/$id/activity"
            params={{ id }}
            aria-current={isActivity ? 'page' : undefined}
          >
            <Icon name="talk" />
            {say('history.title')}
            {history.news.size > 0 && (
              <span className="count news">
                {say('history.newCount', { count: history.news.size })}
              </span>
            )}
          </Link>
        </nav>
      )}
      <div className={hasActivity && isWide ? 'wp with-activity' : 'wp'}>
        {!isActivity && <About workPackage={workPackage} />}
        {!isActivity && <div className="wp-files">{files}</div>}
        {hasActivity && (isWide || isActivity) && (
          <Activity workPackage={workPackage} history={history} />
        )}
      </div>
      {isActivity && <FileOfComment workPackageId={workPackage.id} />}
    </>
  );
}

/** The file that the address names, among the files of comments. */
function FileOfComment({ workPackageId }: { workPackageId: string }) {
  const { file, step, close } = useOpenFile();
  if (file === undefined) return null;
  return <Viewed workPackageId={workPackageId} databaseId={file} onStep={step} onClose={close} />;
}

function Viewed({
  workPackageId,
  ...viewer
}: {
  workPackageId: string;
  databaseId: number;
  onStep: (databaseId: number) => void;
  onClose: () => void;
}) {
  const { rows, total, ...query } = useAttachments(workPackageId, inComments);
  const more =
    query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined;
  return <Viewer containerId={workPackageId} around={{ rows, total, more }} {...viewer} />;
}
