/** The files that the person added, newest first. */
import { RecentFilesDocument } from '../generated/documents';
import { moorage } from '../service';
import { Blank } from '../shell/failure';
import { Heading } from '../shell/page';
import { say } from '../words';
import { FileList } from './file-list';
import { PAGE, Paged, usePaged } from './paged';

export const loadRecent =
  (first: number) => async (after: string | undefined, signal: AbortSignal) =>
    (await moorage.query(RecentFilesDocument, { first, after }, { signal })).viewer
      .recentAttachments;

export function Recent() {
  const list = usePaged(['recent'], loadRecent(PAGE));
  return (
    <>
      <Heading title={say('app.recent')} count={list.total} />
      <div className="wrap">
        <Paged list={list} empty={<Blank icon="folder" title={say('home.noRecent')} />}>
          {(rows) => <FileList files={rows} />}
        </Paged>
      </div>
    </>
  );
}
