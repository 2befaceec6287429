/** Files, each with the object that has it. */
import { Link } from '@tanstack/react-router';
import { Thumbnail } from '../files/file-tile';
import type { FileWithPlaceFragment } from '../generated/documents';
import { Name } from '../shell/name';
import { Time } from '../shell/time';
import { size } from '../words/formats';

/** Objects of other kinds have no page here. */
const folders: { readonly [kind: string]: string } = {
  WorkPackage: 'work_packages',
  Meeting: 'meetings',
  Post: 'posts',
  WikiPage: 'wiki_pages',
};

/** The page of the object to which a file belongs. A comment's page is its work package. */
function placeOf({ container }: FileWithPlaceFragment): { to: string; title: string } | undefined {
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

export function FileList({ files }: { files: FileWithPlaceFragment[] }) {
  return (
    <ul>
      {files.map((file) => {
        const place = placeOf(file);
        return (
          <li className="item recent" key={file.id}>
            <Thumbnail file={file} />
            <div>
              {place ? (
                <Link to={place.to} search={{ file: file.databaseId }}>
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
