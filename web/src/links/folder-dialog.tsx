/** Browses a storage: choose files to link, make folders, upload into the folder that is open. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import {
  LinkedIdsDocument,
  LinkFilesDocument,
  StorageFolderDocument,
  type FolderEntryFragment,
  type StorageHeadingFragment,
} from '../generated/documents';
import { ChooseFiles } from '../files/choose-files';
import { kindOf } from '../files/kinds';
import { allPages, moorage } from '../service';
import { Dialog } from '../shell/dialog';
import { Blank, Failure, Loading, reasonOf } from '../shell/failure';
import { FilterField } from '../shell/filter-field';
import { Icon } from '../shell/icon';
import { tell } from '../shell/messages';
import { say } from '../words';
import { FolderEntry } from './folder-entry';
import { NewFolder } from './new-folder';

/** Rows in the document. A folder of ten thousand entries is filtered, not scrolled. */
const SHOWN = 100;

const { compare } = new Intl.Collator(undefined, { numeric: true });
const rank = ({ mimeType }: FolderEntryFragment): number =>
  kindOf({ name: '', type: mimeType }) === 'folder' ? 0 : 1;
const foldersFirst = (a: FolderEntryFragment, b: FolderEntryFragment): number =>
  rank(a) - rank(b) || compare(a.name, b.name);

export function FolderDialog({
  storage,
  workPackageId,
  onClose,
}: {
  storage: StorageHeadingFragment;
  workPackageId: string;
  onClose: () => void;
}) {
  const [parent, setParent] = useState('/');
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<string, FolderEntryFragment>>(new Map());
  const [naming, setNaming] = useState(false);
  const [sending, setSending] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const query = useQuery({
    queryKey: ['folder', storage.id, parent],
    queryFn: ({ signal }) =>
      moorage.query(StorageFolderDocument, { id: storage.id, parent }, { signal }),
    staleTime: 0,
  });
  const links = useQuery({
    queryKey: ['linked', workPackageId, storage.id],
    queryFn: ({ signal }) =>
      allPages(async (after) => {
        const variables = { workPackageId, storageIds: [storage.id], after };
        const { workPackage } = await moorage.query(LinkedIdsDocument, variables, { signal });
        return workPackage?.fileLinks;
      }),
    // Those of an earlier dialog are not shown first: files have been linked since.
    gcTime: 0,
    // Without them the dialog is of use too: a file that is linked again stays one link.
    retry: false,
  });
  const linked = useMemo(
    () => new Set(links.data?.map((link) => link.originData.id)),
    [links.data],
  );
  const folder = query.data?.storage?.files;
  const words = filter.trim().toLowerCase();
  const sorted = useMemo(() => (folder?.files ?? []).toSorted(foldersFirst), [folder]);
  const matching = sorted.filter(({ name }) => name.toLowerCase().includes(words));
  const mayWrite = folder?.parent.permissions.includes('WRITEABLE') ?? false;

  function go(location: string): void {
    setParent(location);
    setFilter('');
    setNaming(false);
    // The row or step that had the focus is gone.
    body.current?.focus();
  }
  function choose(entry: FolderEntryFragment, on: boolean): void {
    const next = new Map(chosen);
    if (on) next.set(entry.id, entry);
    else next.delete(entry.id);
    setChosen(next);
  }
  async function link(): Promise<void> {
    setSending(true);
    try {
      const fileLinks = [...chosen.values()].map(originData).map((one) => ({
        storageId: storage.id,
        originData: one,
      }));
      // The service takes twenty links at a time.
      for (let at = 0; at < fileLinks.length; at += 20)
        await moorage.mutate(LinkFilesDocument, {
          workPackageId,
          fileLinks: fileLinks.slice(at, at + 20),
        });
      tell(say('folder.linkedNow', { count: fileLinks.length }));
      onClose();
    } catch (error) {
      tell(reasonOf(error));
      setSending(false);
    }
  }
  function upload(files: File[]): void {
    for (const file of files) {
      const sent = moorage.storageUpload(file, {
        workPackageId,
        storageId: storage.id,
        locationId: folder?.parent.id ?? parent,
      });
      void sent.done.then(
        () => query.refetch(),
        () => undefined,
      );
    }
    onClose();
  }

  const title = say('folder.title', { storage: storage.name });
  return (
    <Dialog label={title} className="sheet" onClose={onClose}>
      <div className="sheet-head">
        <h2>{title}</h2>
        <button type="button" className="round" aria-label={say('app.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div className="sheet-tools">
        <Path folder={folder} go={go} />
        <FilterField label="folder.filter" value={filter} onChange={setFilter} />
        {mayWrite && (
          <>
            <button type="button" className="button" onClick={() => setNaming(true)}>
              <Icon name="plus" />
              {say('folder.new')}
            </button>
            <ChooseFiles className="button" onFiles={upload}>
              <Icon name="drop" />
              {say('folder.upload')}
            </ChooseFiles>
          </>
        )}
      </div>
      <div
        ref={body}
        className="sheet-body"
        tabIndex={0}
        role="region"
        aria-label={say('folder.path')}
      >
        {naming && (
          <NewFolder
            storageId={storage.id}
            parent={folder?.parent.id ?? parent}
            onDone={() => {
              setNaming(false);
              body.current?.focus();
              void query.refetch();
            }}
          />
        )}
        {query.isPending || links.isPending ? (
          <Loading />
        ) : query.isError ? (
          <Failure error={query.error} again={() => void query.refetch()} />
        ) : !folder ? (
          <Blank icon="warn" title={say('folder.silent', { storage: storage.name })} />
        ) : matching.length === 0 ? (
          <Blank icon="folder" title={say(words ? 'project.noMatch' : 'folder.empty')} />
        ) : (
          <ul>
            {matching.slice(0, SHOWN).map((entry) => (
              <FolderEntry
                key={entry.id}
                entry={entry}
                linked={linked.has(entry.id)}
                chosen={chosen.has(entry.id)}
                onChoose={(on) => choose(entry, on)}
                onEnter={() => go(entry.location)}
              />
            ))}
          </ul>
        )}
        {matching.length > SHOWN && (
          <p className="note">{say('folder.showing', { shown: SHOWN, count: matching.length })}</p>
        )}
        {folder?.truncated && <p className="note">{say('folder.cut')}</p>}
      </div>
      <div className="sheet-foot">
        <span className="small soft" role="status">
          {folder && say('folder.entries', { count: matching.length })}
        </span>
        <button type="button" className="button" onClick={onClose}>
          {say('app.cancel')}
        </button>
        <button
          type="button"
          className="button main"
          disabled={chosen.size === 0 || sending}
          onClick={() => void link()}
        >
          <Icon name="link" />
          {chosen.size > 0 ? say('folder.link', { count: chosen.size }) : say('folder.linkNone')}
        </button>
      </div>
    </Dialog>
  );
}

/** What a link remembers of a file, as the storage told it. */
const originData = (entry: FolderEntryFragment) => ({
  id: entry.id,
  name: entry.name,
  mimeType: entry.mimeType,
  size: entry.size,
  lastModifiedAt: entry.lastModifiedAt,
  lastModifiedByName: entry.lastModifiedByName,
});

function Path({
  folder,
  go,
}: {
  folder: { ancestors: FolderEntryFragment[]; parent: FolderEntryFragment } | null | undefined;
  go: (location: string) => void;
}) {
  if (!folder) return <span className="crumbs" />;
  const nameOf = (entry: FolderEntryFragment): string =>
    entry.location === '/' ? say('folder.root') : entry.name;
  return (
    <nav className="crumbs" aria-label={say('folder.path')}>
      <ol>
        {folder.ancestors.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => go(one.location)}>
              <bdi>{nameOf(one)}</bdi>
            </button>
          </li>
        ))}
        <li aria-current="location">
          <bdi>{nameOf(folder.parent)}</bdi>
        </li>
      </ol>
    </nav>
  );
}
