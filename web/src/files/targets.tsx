/** Asks for the work package to which files are moved or copied, then does it. */
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import {
  CopyAttachmentsDocument,
  MoveAttachmentsDocument,
  TargetsDocument,
  type TargetsQuery,
} from '../generated/documents';
import { moorage } from '../service';
import { Dialog } from '../shell/dialog';
import { Blank, Failure, Loading, reasonOf } from '../shell/failure';
import { FilterField } from '../shell/filter-field';
import { tell } from '../shell/messages';
import { say } from '../words';
import { size } from '../words/formats';
import { homeOf, type ListedFile } from './attachments-query';
import { inGroups } from './in-groups';
import { refresh } from './refresh';

/** Work packages that are shown. Words find others. */
const SHOWN = 20;

type Target = TargetsQuery['workPackages']['nodes'][number];
export type Journey = 'move' | 'copy';

const idsOf = (files: readonly { id: string }[]): string[] => files.map(({ id }) => id);

async function send(journey: Journey, ids: readonly string[], to: string): Promise<void> {
  for (const group of inGroups(ids)) {
    const variables = { ids: group, to };
    if (journey === 'move') await moorage.mutate(MoveAttachmentsDocument, variables);
    else await moorage.mutate(CopyAttachmentsDocument, variables);
  }
}

export function Targets({
  journey,
  files,
  containerId,
  onEnd,
}: {
  journey: Journey;
  files: readonly ListedFile[];
  containerId: string;
  /** @param done whether the files have gone */
  onEnd: (done: boolean) => void;
}) {
  const [search, setSearch] = useState('');
  const [to, setTo] = useState<Target>();
  const [isSending, setSending] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const words = useDeferredValue(search.trim());
  const query = useQuery({
    queryKey: ['targets', words],
    queryFn: ({ signal }) =>
      moorage.query(TargetsDocument, { search: words || undefined, first: SHOWN }, { signal }),
    placeholderData: (previous) => previous,
  });
  const targets = query.data?.workPackages.nodes ?? [];
  const count = files.length;
  const title = say(`targets.${journey}`, { count });
  const ids = idsOf(files);
  const homes = new Set(files.map((file) => homeOf(file, containerId)));
  const isHome = ({ id }: Target): boolean => homes.size === 1 && homes.has(id);

  async function go({ id, subject }: Target): Promise<void> {
    setSending(true);
    setWrong(undefined);
    try {
      await send(journey, ids, id);
    } catch (error) {
      setWrong(reasonOf(error));
      return;
    } finally {
      setSending(false);
      refresh(containerId);
      refresh(id);
    }
    onEnd(true);
    if (journey === 'copy') tell(say('targets.copied', { count, title: subject }));
    else
      tell(say('targets.moved', { count, title: subject }), {
        label: say('files.undo'),
        run: back,
      });
    function back(): void {
      const all = [...homes].map((home) => {
        const of = files.filter((file) => homeOf(file, containerId) === home);
        return send('move', idsOf(of), home);
      });
      void Promise.all(all)
        .then(() => tell(say('files.restored', { count })))
        .catch((error: unknown) => tell(reasonOf(error)))
        .finally(() => refresh(containerId));
    }
  }

  return (
    <Dialog label={title} className="targets" onClose={() => onEnd(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (to && !isSending) void go(to);
        }}
      >
        <div className="targets-head">
          <h2>{title}</h2>
          <p className="small soft">
            <bdi>{files[0]?.fileName}</bdi>
            {count > 1 && <> {say('targets.andMore', { count: count - 1 })}</>}
            {', '}
            {size(files.reduce((sum, { fileSize }) => sum + fileSize, 0))}
          </p>
          <FilterField label="targets.find" value={search} onChange={setSearch} focus />
        </div>
        <div className="targets-list">
          {query.isPending ? (
            <Loading />
          ) : query.isError ? (
            <Failure error={query.error} again={() => void query.refetch()} />
          ) : targets.length === 0 ? (
            <Blank icon="search" title={say('search.none', { search: words })} />
          ) : (
            <fieldset>
              <legend className="small">
                {say(words ? 'search.workPackages' : 'targets.last')}
              </legend>
              {targets.map((target) => (
                <label key={target.id} className="target">
                  <input
                    type="radio"
                    name="target"
                    checked={to?.id === target.id}
                    disabled={isHome(target) || !target.viewerCanAddAttachment}
                    onChange={() => setTo(target)}
                  />
                  <span>
                    #{target.databaseId} <bdi>{target.subject}</bdi>
                  </span>
                  <span className="small soft">
                    {isHome(target)
                      ? say('targets.here')
                      : target.viewerCanAddAttachment
                        ? target.project.name
                        : say('targets.mayNot')}
                  </span>
                </label>
              ))}
            </fieldset>
          )}
        </div>
        <div className="targets-foot">
          {wrong ? (
            <p className="state bad" role="alert">
              {wrong}
            </p>
          ) : (
            <p className="small soft">
              {to
                ? say(`targets.${journey}To`, { id: to.databaseId, title: to.subject })
                : say('targets.choose')}
            </p>
          )}
          <button type="button" className="button quiet" onClick={() => onEnd(false)}>
            {say('app.cancel')}
          </button>
          <button className="button main" aria-disabled={!to || isSending}>
            {title}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
