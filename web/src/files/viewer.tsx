/** One file over the whole page, with its neighbours, its details and what can be done with it. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MoorageError } from 'moorage-client';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { AttachmentRowFragment } from '../generated/documents';
import { addressOf } from '../find/place';
import { answers } from '../service';
import { Dialog } from '../shell/dialog';
import { Failure, Loading, reasonOf } from '../shell/failure';
import { Icon, type IconName } from '../shell/icon';
import { useKeys } from '../shell/keys';
import { tell } from '../shell/messages';
import { Name } from '../shell/name';
import { say } from '../words';
import { attachmentOptions, type ViewedFile } from './attachments-query';
import { Details, Facts } from './details';
import { download, downloadAddress } from './download';
import { Content, Card } from './content';
import { FilmStrip } from './film-strip';
import { useSwipe } from './swipe';
import { withdraw } from './withdraw';

interface Around {
  /** The files of the list in its present order and filter, as far as they are loaded. */
  rows: readonly AttachmentRowFragment[];
  total: number;
  /** Loads more of them. */
  more: (() => void) | undefined;
}

export function Viewer({
  databaseId,
  containerId,
  around,
  onStep,
  onClose,
}: {
  databaseId: number;
  containerId: string;
  around: Around;
  onStep: (databaseId: number) => void;
  onClose: () => void;
}) {
  const query = useQuery(attachmentOptions(databaseId));
  const [details, setDetails] = useState(false);
  const [copied, setCopied] = useState<number>();
  const toggle = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { position, previous, next } = useNeighbours(databaseId, around);
  const attachment = isMissing(query) ? undefined : (query.data?.attachment ?? undefined);
  const file = useLastKnown(
    databaseId,
    attachment ?? around.rows.find((row) => row.databaseId === databaseId),
  );
  useLeadOn(attachment, containerId);
  const readable = attachment?.contentAddress ? attachment : undefined;

  const step = (to: AttachmentRowFragment | undefined) => to && (() => onStep(to.databaseId));
  const save = readable && ((): void => void download(containerId, [readable]));
  const copy = (): void =>
    void navigator.clipboard.writeText(location.href).then(
      () => setCopied(databaseId),
      (error: unknown) => void tell(reasonOf(error)),
    );
  const remove =
    attachment?.viewerCanDelete &&
    ((): void => {
      withdraw(containerId, [attachment]);
      onClose();
    });
  const closeDetails = (): void => {
    setDetails(false);
    toggle.current?.focus();
  };
  // Nothing is pressed by Space then, which leads to the next file.
  useEffect(() => heading.current?.focus(), []);
  const isRightToLeft = document.documentElement.dir === 'rtl';
  const toLeft = step(isRightToLeft ? next : previous);
  const toRight = step(isRightToLeft ? previous : next);
  const swipe = useSwipe(toLeft, toRight);
  useKeys('viewer', {
    ArrowLeft: toLeft,
    ArrowRight: toRight,
    ' ': step(next),
    i: attachment && (() => setDetails(!details)),
    d: save,
    l: attachment && copy,
  });

  return (
    <Dialog label={file?.fileName ?? say('viewer.title')} className="viewer" onClose={onClose}>
      <div className="viewer-head">
        <button type="button" className="round" aria-label={say('app.close')} onClick={onClose}>
          <Icon name="back" />
        </button>
        <div className="viewer-name" aria-live="polite" aria-atomic="true">
          <h2 ref={heading} tabIndex={-1}>
            {file ? <Name>{file.fileName}</Name> : say('viewer.title')}
          </h2>
          {position !== undefined && (
            <p>{say('viewer.position', { position, total: around.total })}</p>
          )}
        </div>
      </div>
      <div className="viewer-actions">
        {attachment && (
          <>
            {readable && (
              <a
                className="button"
                href={downloadAddress(readable)}
                download={readable.fileName}
                aria-keyshortcuts="D"
              >
                <Icon name="down" />
                <span>{say('files.download')}</span>
              </a>
            )}
            <Action
              icon={copied === databaseId ? 'check' : 'copy'}
              label={say(copied === databaseId ? 'details.copied' : 'details.copyLink')}
              shortcut="L"
              run={copy}
            />
            <button
              ref={toggle}
              type="button"
              className="button"
              aria-expanded={details}
              aria-keyshortcuts="I"
              onClick={() => setDetails(!details)}
            >
              <Icon name="info" />
              <span>{say('viewer.details')}</span>
            </button>
            {remove && <Action icon="bin" label={say('files.delete')} run={remove} />}
          </>
        )}
      </div>
      {attachment && details && (
        <Details file={attachment} containerId={containerId} onClose={closeDetails} />
      )}
      <div className="viewer-stage" {...swipe}>
        <Suspense fallback={<Loading />}>
          {attachment ? (
            <Content file={attachment} refresh={query.refetch} />
          ) : isMissing(query) ? (
            <Missing file={file} />
          ) : query.isError ? (
            <div className="viewer-card">
              <Failure error={query.error} again={() => void query.refetch()} />
            </div>
          ) : (
            <Loading />
          )}
        </Suspense>
      </div>
      {previous && <Step to="previous" run={step(previous)} />}
      {next && <Step to="next" run={step(next)} />}
      <FilmStrip files={around.rows} current={databaseId} onStep={onStep} />
    </Dialog>
  );
}

function Action({
  icon,
  label,
  shortcut,
  run,
}: {
  icon: IconName;
  label: string;
  shortcut?: string;
  run: () => void;
}) {
  return (
    <button type="button" className="button" aria-keyshortcuts={shortcut} onClick={run}>
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}

function Step({ to, run }: { to: 'previous' | 'next'; run: (() => void) | undefined }) {
  return (
    <button
      type="button"
      className={`viewer-step ${to}`}
      aria-label={say(`viewer.${to}`)}
      onClick={run}
    >
      <Icon name={to} />
    </button>
  );
}

/** What is not there and what is hidden look the same. A file that was seen here keeps its facts. */
function Missing({ file }: { file: AttachmentRowFragment | undefined }) {
  return (
    <Card icon="search" title={say(file ? 'files.gone' : 'viewer.missing')}>
      <p>{say(file ? 'viewer.goneWhy' : 'viewer.missingWhy')}</p>
      {file && <Facts file={file} />}
    </Card>
  );
}

/** A link can name a file of another page. It leads on to that page. */
function useLeadOn(file: ViewedFile | undefined, containerId: string): void {
  const navigate = useNavigate();
  const home = file?.container;
  const page = home && 'workPackage' in home ? home.workPackage : home;
  const to = home && page?.id !== containerId ? addressOf(home) : undefined;
  const search = { file: file?.databaseId };
  useEffect(() => {
    if (to) void navigate({ to, search, replace: true, state: true } as never);
  }, [to]);
}

function isMissing({
  data,
  error,
}: {
  data: { attachment: unknown } | undefined;
  error: unknown;
}): boolean {
  return data?.attachment === null || (error instanceof MoorageError && error.status === 404);
}

function useLastKnown(databaseId: number, now: AttachmentRowFragment | undefined) {
  const [last, setLast] = useState(now);
  if (now && now !== last) setLast(now);
  return now ?? (last?.databaseId === databaseId ? last : undefined);
}

/** A file outside of what is loaded has no position. The pictures of the neighbours are fetched ahead. */
function useNeighbours(databaseId: number, { rows, more }: Around) {
  const index = rows.findIndex((row) => row.databaseId === databaseId);
  const previous = rows[index - 1];
  const next = index < 0 ? undefined : rows[index + 1];
  useEffect(() => {
    for (const one of [previous, next]) if (one) void fetchAhead(one.databaseId);
  }, [previous?.databaseId, next?.databaseId]);
  const isNearEnd = index >= 0 && index + 2 >= rows.length;
  useEffect(() => {
    if (isNearEnd) more?.();
  }, [isNearEnd, more]);
  return { position: index < 0 ? undefined : index + 1, previous, next };
}

async function fetchAhead(databaseId: number): Promise<void> {
  // The viewer tells of an error when it comes to the file.
  const data = await answers.fetchQuery(attachmentOptions(databaseId)).catch(() => undefined);
  if (data?.attachment?.large) new Image().src = data.attachment.large.href;
}
