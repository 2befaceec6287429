/** The files that the person added, newest first. */
import { Link } from '@tanstack/react-router';
import { RecentFilesDocument, type RecentFilesQuery } from '../generated/documents';
import { Thumbnail } from '../files/file-tile';
import { moorage } from '../service';
import { Blank } from '../shell/failure';
import { Name } from '../shell/name';
import { Heading } from '../shell/page';
import { Time } from '../shell/time';
import { say } from '../words';
import { size } from '../words/formats';
import { PAGE, Paged, usePaged } from './paged';

type Recent = RecentFilesQuery['viewer']['recentAttachments']['nodes'][number];

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
          {(rows) => <RecentList files={rows} />}
        </Paged>
      </div>
    </>
  );
}

/** Objects of other kinds have no page here. */
const folders: { readonly [kind: string]: string } = {
  WorkPackage: 'work_packages',
  Meeting: 'meetings',
  Post: 'posts',
  WikiPage: 'wiki_pages',
};

/** The page of the object to which a file belongs. A comment's page is its work package. */
function placeOf({ container }: Recent): { to: string; title: string } | undefined {
  if (!container) return undefined;
  if (container.__typename === 'Activity') {
    const { databaseId, subject } = container.workPackage;
    return { to: `/work_packages/${databaseId}`, title: subject };
  }
  const folder = folders[container.__typename];
  if (folder === undefined || !('title' in container)) return undefined;
  const { databaseId, title } = container;
  return { to: `/${folder}/${databaseId}`, title };
}

export function RecentList({ files }: { files: Recent[] }) {
  return (
    <ul>
      {files.map((file) => {
        const place = placeOf(file);
        return (
          <li className="item recent" key={file.id}>
            <Thumbnail file={file} />
            <div>
              {place ? (
                <Link to={place.to}>
                  <Name>{file.fileName}</Name>
                </Link>
              ) : (
                <Name>{file.fileName}</Name>
              )}
              <p className="meta">
                {place && <span>{place.title}</span>}
                <span>{size(file.fileSize)}</span>
              </p>
            </div>
            <Time of={file.createdAt} />
          </li>
        );
      })}
    </ul>
  );
}
