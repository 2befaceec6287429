/** The attachments of a container: grid or table, order, filter and selection. */
import { useEffect, useRef, useState } from 'react';
import { hasFilters, type Filters } from '../find/file-filters';
import { FilterBar } from '../find/filter-bar';
import { peopleOf } from '../find/found-files';
import type { AttachmentOrder } from '../generated/documents';
import { Blank, Failure, Loading, reasonOf } from '../shell/failure';
import { FilterField } from '../shell/filter-field';
import { Icon } from '../shell/icon';
import { useMe } from '../shell/me';
import { tell } from '../shell/messages';
import { numeral, say } from '../words';
import { scopes, useAttachments, useCounts, type Scope } from './attachments-query';
import { DropArea } from './drop-area';
import { FileRow, FileTile } from './file-tile';
import { FilesTable } from './files-table';
import { useOpenFile } from './open-file';
import { SelectionBar } from './selection-bar';
import type { useAdding } from './use-adding';
import { useFileActs } from './use-file-acts';
import { useNewFiles } from './use-new-files';
import { useSelection } from './use-selection';
import { Viewer } from './viewer';
import { useWithdrawn } from './withdraw';

const orders = [
  'CREATED_AT_DESC',
  'CREATED_AT_ASC',
  'FILE_NAME_ASC',
  'FILE_NAME_DESC',
  'FILE_SIZE_DESC',
  'FILE_SIZE_ASC',
  'AUTHOR_ASC',
  'AUTHOR_DESC',
] as const;
type View = 'grid' | 'list';
const VIEW = 'moorage view';
/** From here on a filter is worth its place. */
const MANY = 12;
/** An archive takes no more files. */
const MOST = 1_000;

export function Attachments({
  containerId,
  hasComments,
  adding,
  administrator,
}: {
  containerId: string;
  /** Whether the files of its comments belong to the list. */
  hasComments: boolean;
  adding: ReturnType<typeof useAdding>;
  administrator: boolean;
}) {
  const [view, setView] = useState<View>(localStorage.getItem(VIEW) === 'list' ? 'list' : 'grid');
  const [orderBy, setOrderBy] = useState<AttachmentOrder>('CREATED_AT_DESC');
  const [search, setSearch] = useState('');
  const [scope, setScope] = useState<Scope>('all');
  const [filters, setFilters] = useState<Filters>({});
  const { file: shown, open, step, close } = useOpenFile();
  const last = useRef(shown);
  useEffect(() => {
    if (shown === undefined && last.current !== undefined) focusTile(last.current);
    last.current = shown;
  }, [shown]);
  useWithdrawn();
  const query = useAttachments(containerId, {
    orderBy,
    search,
    within: hasComments ? { scope, filters } : undefined,
  });
  const counts = useCounts(containerId, hasComments);
  const { rows, total } = query;
  const more =
    query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined;
  const acts = useFileActs({ containerId, rows, adding, open });
  const { selected, current, clear, selectAll, list } = useSelection(rows, {
    open,
    menu: acts.menu,
    rename: acts.rename,
    remove: (ids) => acts.remove(rows.filter(({ id }) => ids.includes(id))),
  });
  const [isAllWanted, setAllWanted] = useState(false);
  const news = useNewFiles(containerId, rows);
  const chosen = rows.filter(({ id }) => selected.has(id));

  const isFiltered = search !== '' || scope !== 'all' || hasFilters(filters);
  const isLong = (counts?.all.totalCount ?? total) > MANY || isFiltered;
  const me = useMe().data?.viewer;

  function show(next: View): void {
    localStorage.setItem(VIEW, next);
    setView(next);
  }
  // All pages are read, so that the bar says what can be done with all files.
  useEffect(() => {
    if (!isAllWanted || query.isFetching) return;
    if (query.hasNextPage && !query.isError) return void query.fetchNextPage();
    setAllWanted(false);
    if (query.isError) tell(reasonOf(query.error));
    else selectAll();
  }, [isAllWanted, query.isFetching]);
  const props = (file: (typeof rows)[number]) => ({
    file,
    selected: selected.has(file.id),
    current: file.id === current,
    isNew: news.has(file.id),
    renaming: acts.renaming(file),
  });

  return (
    <section aria-labelledby="attachments" className="attachments">
      <div className={`head ${view}`}>
        <h2 id="attachments">
          {say('files.title')} <span className="count">{numeral(total)}</span>
        </h2>
        {((counts && counts.comments.totalCount > 0) || scope !== 'all') && (
          <fieldset className="either">
            <legend className="unseen">{say('files.scope')}</legend>
            {scopes.map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="scope"
                  checked={scope === one}
                  onChange={() => setScope(one)}
                />
                <span>{say(`files.scope.${one}`)}</span>
                {counts && <span className="soft">{numeral(counts[one].totalCount)}</span>}
              </label>
            ))}
          </fieldset>
        )}
        {hasComments && isLong && (
          <FilterBar
            filters={filters}
            onChange={setFilters}
            people={peopleOf(rows, me ? [me] : [])}
          />
        )}
        {isLong && <FilterField label="files.filter" value={search} onChange={setSearch} />}
        <select
          className="inline-field order"
          aria-label={say('files.order')}
          value={orderBy}
          onChange={(event) => setOrderBy(event.target.value as AttachmentOrder)}
        >
          {orders.map((order) => (
            <option key={order} value={order}>
              {say(`files.order.${order}`)}
            </option>
          ))}
        </select>
        <fieldset className="either">
          <legend className="unseen">{say('files.view')}</legend>
          {(['grid', 'list'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="view" checked={view === one} onChange={() => show(one)} />
              <Icon name={one} />
              <span>{say(`files.${one}`)}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {chosen.length > 0 && (
        <SelectionBar
          containerId={containerId}
          files={chosen}
          send={acts.send}
          remove={acts.remove}
          clear={clear}
          more={
            (query.hasNextPage || isAllWanted) &&
            chosen.length === rows.length && (
              <SelectRest
                shown={rows.length}
                total={total}
                isLoading={isAllWanted}
                all={() => setAllWanted(true)}
              />
            )
          }
        />
      )}
      <DropArea adding={adding} administrator={administrator} />
      {query.isPending ? (
        <Loading />
      ) : query.isError && rows.length === 0 ? (
        <Failure error={query.error} again={() => void query.refetch()} />
      ) : rows.length === 0 ? (
        <Blank
          icon="folder"
          title={say(search ? 'files.noMatch' : isFiltered ? 'files.noneFiltered' : 'files.empty')}
        />
      ) : view === 'grid' ? (
        <ul className="files grid" {...list}>
          {rows.map((file) => (
            <FileTile key={file.id} {...props(file)} />
          ))}
        </ul>
      ) : (
        <FilesTable
          order={orderBy}
          onOrder={setOrderBy}
          all={chosen.length === rows.length || (chosen.length > 0 && 'some')}
          onAll={() => (chosen.length === rows.length ? clear() : selectAll())}
          list={list}
        >
          {rows.map((file) => (
            <FileRow key={file.id} {...props(file)} />
          ))}
        </FilesTable>
      )}
      {query.hasNextPage && (
        <p className="blank">
          <button
            type="button"
            className="button"
            aria-disabled={query.isFetchingNextPage}
            onClick={more}
          >
            {say('app.more')}
          </button>
        </p>
      )}
      {acts.dialog}
      {shown !== undefined && (
        <Viewer
          databaseId={shown}
          containerId={containerId}
          around={{ rows, total, more }}
          onStep={step}
          onClose={close}
        />
      )}
    </section>
  );
}

/** Not all files of the list are loaded. A person hears how many are selected, and can take all. */
function SelectRest({
  shown,
  total,
  isLoading,
  all,
}: {
  shown: number;
  total: number;
  isLoading: boolean;
  all: () => void;
}) {
  if (total > MOST)
    return <span className="small">{say('files.onlyShown', { shown, total })}</span>;
  return (
    <button type="button" className="button" aria-disabled={isLoading} onClick={all}>
      {say(isLoading ? 'files.selectingAll' : 'files.selectAllOf', { total })}
    </button>
  );
}

/** After the viewer, the focus is where the person has come to in it. */
function focusTile(databaseId: number): void {
  document.querySelector<HTMLElement>(`[data-id="${databaseId}"] .open-file`)?.focus();
}
