/** Attachments as a table: its header sorts, and selects all. */
import type { ReactNode } from 'react';
import type { AttachmentOrder } from '../generated/documents';
import { Icon } from '../shell/icon';
import { say, type WordKey } from '../words';

type Column = 'FILE_NAME' | 'AUTHOR' | 'CREATED_AT' | 'FILE_SIZE';
/** How a column is sorted at first: names from A, the newest and the largest on top. */
const first = { FILE_NAME: 'ASC', AUTHOR: 'ASC', CREATED_AT: 'DESC', FILE_SIZE: 'DESC' } as const;

export function FilesTable({
  order,
  onOrder,
  all,
  onAll,
  list,
  children,
}: {
  order: AttachmentOrder;
  onOrder: (order: AttachmentOrder) => void;
  /** Whether all files are selected, some or none. */
  all: boolean | 'some';
  onAll: () => void;
  list: React.HTMLAttributes<HTMLElement>;
  children: ReactNode;
}) {
  function sorted(column: Column, label: WordKey, className = '') {
    const isSorted = order.startsWith(column);
    const descends = order.endsWith('DESC');
    const next = isSorted ? (descends ? 'ASC' : 'DESC') : first[column];
    return (
      <th
        className={className}
        scope="col"
        aria-sort={isSorted ? (descends ? 'descending' : 'ascending') : undefined}
      >
        <button type="button" className="sort" onClick={() => onOrder(`${column}_${next}`)}>
          {say(label)}
          <Icon name={isSorted && !descends ? 'up' : 'shut'} />
        </button>
      </th>
    );
  }
  return (
    <table
      className="files list"
      role="grid"
      aria-multiselectable="true"
      aria-labelledby="attachments"
      {...list}
    >
      <thead>
        <tr>
          <th className="narrow" scope="col">
            <label className="pick">
              <input
                type="checkbox"
                checked={all === true}
                ref={(box) => {
                  if (box) box.indeterminate = all === 'some';
                }}
                aria-label={say('files.selectAll')}
                onChange={onAll}
              />
            </label>
          </th>
          {sorted('FILE_NAME', 'files.name')}
          {sorted('AUTHOR', 'files.addedBy', 'wide')}
          {sorted('CREATED_AT', 'details.added', 'wide')}
          {sorted('FILE_SIZE', 'details.size', 'wide number')}
          <td className="narrow" />
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
