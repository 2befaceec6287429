/** Files, each with the object that has it. */
import { Link } from '@tanstack/react-router';
import { Thumbnail } from '../files/file-tile';
import type { FileWithPlaceFragment } from '../generated/documents';
import { Name } from '../shell/name';
import { Time } from '../shell/time';
import { size } from '../words/formats';
import { placeOf } from './place';

export function FileLink({ file }: { file: FileWithPlaceFragment }) {
  const place = placeOf(file);
  if (!place) return <Name>{file.fileName}</Name>;
  return (
    <Link to={place.to} search={{ file: file.databaseId }}>
      <Name>{file.fileName}</Name>
    </Link>
  );
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
              <FileLink file={file} />
              <p className="meta">
                {place && (
                  <span>
                    {place.kind}: <bdi>{place.title}</bdi>
                  </span>
                )}
                {place && <bdi>{place.project}</bdi>}
                <bdi>{size(file.fileSize)}</bdi>
              </p>
            </div>
            <Time of={file.createdAt} />
          </li>
        );
      })}
    </ul>
  );
}

/** The same as pictures, where one recognises by eye. */
export function FileTiles({ files }: { files: FileWithPlaceFragment[] }) {
  return (
    <ul className="tiles">
      {files.map((file) => {
        const place = placeOf(file);
        return (
          <li className="tile" key={file.id}>
            <Thumbnail file={file} />
            <div>
              <FileLink file={file} />
              <p className="meta">
                <bdi>{size(file.fileSize)}</bdi>
                {place && <bdi>{place.title}</bdi>}
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
