/** The page of a list that an administrator searches and adds to. */
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { PAGE, Paged, usePaged } from '../find/paged';
import { FilterField } from '../shell/filter-field';
import { Icon } from '../shell/icon';
import { say, type WordKey } from '../words';
import { Frame } from './frame';

interface Searched {
  search: string | undefined;
  first: number;
  after: string | undefined;
}

type Answer<Row> = ReturnType<Parameters<typeof usePaged<Row>>[1]>;

interface SearchedListProps<Row> {
  /** The name of the list in addresses. */
  list: 'people' | 'projects';
  title: WordKey;
  add: WordKey;
  find: WordKey;
  /** Whether the search has the focus at once. */
  focus?: boolean;
  load: (variables: Searched, signal: AbortSignal) => Answer<Row>;
  empty: (search: string) => ReactNode;
  columns: readonly WordKey[];
  /** The cells of a row, the first one is its heading. */
  children: (row: Row) => ReactNode;
}

export function SearchedList<Row extends { id: string }>({
  list: name,
  title,
  add,
  find,
  focus = false,
  load,
  empty,
  columns,
  children,
}: SearchedListProps<Row>) {
  const [search, setSearch] = useState('');
  const list = usePaged<Row>(['administration', name, search], (after, signal) =>
    load({ search: search || undefined, first: PAGE, after }, signal),
  );
  return (
    <Frame
      title={say(title)}
      count={list.total}
      actions={
        <Link className="button main" to={`/administration/${name}/new`}>
          <Icon name="plus" />
          {say(add)}
        </Link>
      }
    >
      <div className="row">
        <FilterField label={find} value={search} onChange={setSearch} focus={focus} />
      </div>
      <Paged list={list} empty={empty(search)}>
        {(rows) => (
          <table className="file-table admin-table" aria-label={say(title)}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {say(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>{children(row)}</tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
    </Frame>
  );
}
