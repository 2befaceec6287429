/** The attachments of a container: grid or list, order, filter, selection, adding and deleting. */
import { useEffect, useRef, useState } from 'react';
import type { AttachmentOrder } from '../generated/documents';
import { Blank, Failure, Loading } from '../shell/failure';
import { FilterField } from '../shell/filter-field';
import { Icon } from '../shell/icon';
import { numeral, say } from '../words';
import { size } from '../words/formats';
import { useAttachments } from './attachments-query';
import { ChooseFiles } from './choose-files';
import { FileTile } from './file-tile';
import { useOpenFile } from './open-file';
import { SelectionBar } from './selection-bar';
import type { useAdding } from './use-adding';
import { Viewer } from './viewer';
import { useWithdrawn } from './withdraw';

const orders = ['CREATED_AT_DESC', 'CREATED_AT_ASC', 'FILE_NAME_ASC', 'FILE_SIZE_DESC'] as const;
type View = 'grid' | 'list';
const VIEW = 'moorage view';
/** From here on a filter is worth its place. */
const MANY = 12;

export function Attachments({
  containerId,
  adding,
  administrator,
}: {
  containerId: string;
  adding: ReturnType<typeof useAdding>;
  administrator: boolean;
}) {
  const [view, setView] = useState<View>(localStorage.getItem(VIEW) === 'list' ? 'list' : 'grid');
  const [orderBy, setOrderBy] = useState<AttachmentOrder>('CREATED_AT_DESC');
  const [search, setSearch] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string>();
  const { file: shown, open, step, close } = useOpenFile();
  const last = useRef(shown);
  useEffect(() => {
    if (shown === undefined && last.current !== undefined) focusTile(last.current);
    last.current = shown;
  }, [shown]);
  useWithdrawn();
  const query = useAttachments(containerId, { orderBy, search });
  const { rows, total } = query;
  const more =
    query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined;
  const chosen = rows.filter(({ id }) => selected.has(id));

  function select(id: string, on: boolean, range: boolean): void {
    const ids = rows.map((row) => row.id);
    const from = range && anchor ? ids.indexOf(anchor) : -1;
    const to = ids.indexOf(id);
    const changed = from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    const next = new Set(selected);
    for (const one of changed) {
      if (on) next.add(one);
      else next.delete(one);
    }
    setSelected(next);
    setAnchor(id);
  }
  function show(next: View): void {
    localStorage.setItem(VIEW, next);
    setView(next);
  }

  return (
    <section aria-labelledby="attachments">
      <div className="head">
        <h2 id="attachments">
          {say('files.title')} <span className="count">{numeral(total)}</span>
        </h2>
        {(total > MANY || search) && (
          <FilterField label="files.filter" value={search} onChange={setSearch} />
        )}
        <select
          className="inline-field"
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
              {say(`files.${one}`)}
            </label>
          ))}
        </fieldset>
      </div>
      {chosen.length > 0 && (
        <SelectionBar
          containerId={containerId}
          files={chosen}
          clear={() => setSelected(new Set())}
        />
      )}
      {query.isPending ? (
        <Loading />
      ) : query.isError && rows.length === 0 ? (
        <Failure error={query.error} again={() => void query.refetch()} />
      ) : rows.length === 0 ? (
        <Blank icon="folder" title={say(search ? 'files.noMatch' : 'files.empty')} />
      ) : (
        <ul className={`files ${view}`}>
          {rows.map((file) => (
            <FileTile
              key={file.id}
              file={file}
              selected={selected.has(file.id)}
              onSelect={(on, range) => select(file.id, on, range)}
              onOpen={() => open(file.databaseId)}
            />
          ))}
        </ul>
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
      <DropArea adding={adding} administrator={administrator} />
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

/** After the viewer, the focus is where the person has come to in it. */
function focusTile(databaseId: number): void {
  document.querySelector<HTMLElement>(`[data-id="${databaseId}"] .open-file`)?.focus();
}

function DropArea({
  adding,
  administrator,
}: {
  adding: ReturnType<typeof useAdding>;
  administrator: boolean;
}) {
  if (!adding.may) return <p className="note">{say('files.mayNotAdd')}</p>;
  const largest = adding.limits?.maximumAttachmentFileSize;
  return (
    <div className="free">
      <Icon name="drop" />
      <strong>{say('files.drop')}</strong>
      <span>
        {say('files.dropOr')}{' '}
        <ChooseFiles className="link-button" onFiles={adding.add}>
          {say('files.choose')}
        </ChooseFiles>
      </span>
      <ChooseFiles className="link-button" folder onFiles={adding.add}>
        {say('files.addFolder')}
      </ChooseFiles>
      {largest && (
        <span>
          {say('files.limit', { size: size(largest, { down: true }) })}
          {administrator && <> {say('files.limitSetting', { setting: 'ATTACHMENT_MAX_SIZE' })}</>}
        </span>
      )}
    </div>
  );
}
