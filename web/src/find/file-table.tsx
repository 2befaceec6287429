/** Files that one compares: a table that can be sorted, each file with the place where it is. */
import { Link } from '@tanstack/react-router';
import { Thumbnail } from '../files/file-tile';
import type { AttachmentOrder, FileWithPlaceFragment } from '../generated/documents';
import { Icon } from '../shell/icon';
import { Time } from '../shell/time';
import { say, type WordKey } from '../words';
import { size } from '../words/formats';
import { FileLink } from './file-list';
import { placeOf } from './place';

/** The columns that sort, with the order of a first click. */
const columns = {
  name: { label: 'table.name', up: 'FILE_NAME_ASC', down: 'FILE_NAME_DESC', first: 'up' },
  added: { label: 'table.added', up: 'CREATED_AT_ASC', down: 'CREATED_AT_DESC', first: 'down' },
  size: { label: 'table.size', up: 'FILE_SIZE_ASC', down: 'FILE_SIZE_DESC', first: 'down' },
} as const satisfies {
  [name: string]: {
    label: WordKey;
    up: AttachmentOrder;
    down: AttachmentOrder;
    first: 'up' | 'down';
  };
};

export function FileTable({
  label,
  files,
  order,
  onOrder,
}: {
  label: string;
  files: FileWithPlaceFragment[];
  order: AttachmentOrder;
  onOrder: (order: AttachmentOrder) => void;
}) {
  const head = (name: keyof typeof columns) => {
    const { label: words, up, down, first } = columns[name];
    const sorted = order === up ? 'ascending' : order === down ? 'descending' : undefined;
    const next = sorted ? (order === up ? down : up) : first === 'up' ? up : down;
    return (
      <th scope="col" className={name === 'name' ? 'named' : name} aria-sort={sorted}>
        <button type="button" onClick={() => onOrder(next)}>
          {say(words)}
          {sorted && <Icon name={sorted === 'ascending' ? 'up' : 'shut'} />}
        </button>
      </th>
    );
  };
  return (
    <table className="file-table" aria-label={label}>
      <thead>
        <tr>
          {head('name')}
          <th scope="col" className="where">
            {say('table.where')}
          </th>
          {head('added')}
          {head('size')}
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <Row key={file.id} file={file} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ file }: { file: FileWithPlaceFragment }) {
  const place = placeOf(file);
  return (
    <tr>
      <th scope="row" className="named">
        <div>
          <Thumbnail file={file} />
          <FileLink file={file} />
        </div>
      </th>
      <td className="where">
        {place && (
          <>
            <span className="soft">{place.kind}</span>{' '}
            <Link to={place.to}>
              <bdi>{place.title}</bdi>
            </Link>
          </>
        )}
      </td>
      <td className="added">
        <Time of={file.createdAt} />
      </td>
      <td className="size">
        <bdi>{size(file.fileSize)}</bdi>
      </td>
    </tr>
  );
}
