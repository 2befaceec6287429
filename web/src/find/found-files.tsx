/** A table of files of many places, with its filters: those of a person, or of a project. */
import { useState } from 'react';
import {
  FoundFilesDocument,
  type AttachmentOrder,
  type FoundAttachmentFilter,
} from '../generated/documents';
import { moorage } from '../service';
import { Blank } from '../shell/failure';
import { FilterField } from '../shell/filter-field';
import { say } from '../words';
import { filterOf, hasFilters, type Filters } from './file-filters';
import { FileTable } from './file-table';
import { FilterBar, type Named } from './filter-bar';
import { PAGE, Paged, usePaged } from './paged';

/** @param always the files that the page is about; further filters narrow them */
export function useFoundFiles(
  key: string,
  {
    search,
    filter,
    order,
    first = PAGE,
  }: {
    search?: string;
    filter: FoundAttachmentFilter;
    order?: AttachmentOrder;
    first?: number;
  },
) {
  return usePaged(['files', key, search, filter, order, first], async (after, signal) => {
    const orderBy = order ?? 'ID_DESC';
    const variables = { search: search || undefined, filter, orderBy, first, after };
    return (await moorage.query(FoundFilesDocument, variables, { signal })).attachments;
  });
}

/** Those who added the files that are shown, and who is chosen. */
export function peopleOf(
  files: readonly { author: { name: string; databaseId?: number } }[],
  known: readonly Named[],
): Named[] {
  const people = new Map(known.map((one) => [one.databaseId, one]));
  for (const {
    author: { databaseId, name },
  } of files)
    if (databaseId !== undefined) people.set(databaseId, { databaseId, name });
  return [...people.values()];
}

export function FoundFiles({
  title,
  always,
  people,
  projects,
  empty,
}: {
  title: string;
  always: Filters;
  people?: readonly Named[];
  projects?: readonly Named[];
  empty: string;
}) {
  const [filters, setFilters] = useState<Filters>({});
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<AttachmentOrder>('CREATED_AT_DESC');
  const filter = filterOf({ ...filters, ...always });
  const list = useFoundFiles(title, { search, filter, order });
  const narrowed = search !== '' || hasFilters(filters);
  return (
    <section>
      <div className="head">
        <h2>
          {title} <span className="count">{list.total}</span>
        </h2>
        <FilterField label="files.filter" value={search} onChange={setSearch} />
      </div>
      <FilterBar
        filters={filters}
        onChange={setFilters}
        {...(people && { people: peopleOf(list.rows, people) })}
        {...(projects && { projects })}
      />
      <Paged
        list={list}
        empty={
          <Blank
            icon="folder"
            title={search ? say('files.noMatch') : narrowed ? say('files.noneFiltered') : empty}
          />
        }
      >
        {(rows) => <FileTable label={title} files={rows} order={order} onOrder={setOrder} />}
      </Paged>
    </section>
  );
}
