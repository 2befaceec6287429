/** The uploads, on every page: a line per file, and what can be done with all of them. */
import { useEffect, useRef, useState } from 'react';
import type { AnyUpload } from 'moorage-client';
import { moorage } from '../service';
import { Icon } from '../shell/icon';
import { speak } from '../shell/messages';
import { say } from '../words';
import { duration } from '../words/formats';
import { isOver, needsPerson, stateOf, useUploads } from './list';
import { reasonOfUpload } from './reason';
import { TrayLine } from './tray-line';

/** More lines than these make the page slow, and nobody reads them. */
const LINES = 100;
/** Whether the person keeps the tray open, in this window. At first it is a line: it covers no file. */
const KEPT_OPEN = 'moorage tray';
const isKeptOpen = (): boolean => sessionStorage.getItem(KEPT_OPEN) === 'yes';

export function Tray() {
  const uploads = useUploads();
  const [open, setOpen] = useState(false);
  const known = useRef(0);
  useEffect(() => void moorage.uploads.restore(), []);
  useVoice(uploads);
  useWarning(uploads.some((upload) => !isOver(upload)));
  useEffect(() => {
    if (uploads.length > known.current) setOpen(isKeptOpen());
    known.current = uploads.length;
    document.body.classList.toggle('with-tray', uploads.length > 0);
  }, [uploads.length]);
  const allDone = uploads.every(({ state }) => state === 'done');
  // What is done gives its place back.
  useEffect(() => {
    if (allDone) setOpen(false);
  }, [allDone]);
  if (uploads.length === 0) return null;

  const running = uploads.filter((upload) => !isOver(upload));
  const paused = running.length > 0 && running.every(({ state }) => state === 'paused');
  const failed = uploads.filter(({ state }) => state === 'failed');
  // What needs the person comes first, what is finished last.
  const order = (upload: AnyUpload): number =>
    needsPerson(upload) ? 0 : isOver(upload) ? 3 : upload.state === 'queued' ? 2 : 1;
  const lines = uploads.toSorted((a, b) => order(a) - order(b)).slice(0, LINES);

  return (
    <section className={`tray ${open ? 'open' : ''}`} aria-labelledby="uploads">
      <div className="tray-head">
        <div>
          <h2 id="uploads">{say('tray.title', { count: uploads.length })}</h2>
          <p>{summary(uploads, open)}</p>
        </div>
        {running.length > 0 && (
          <button
            type="button"
            className="round"
            aria-label={say(paused ? 'tray.resumeAll' : 'tray.pauseAll')}
            onClick={() => {
              for (const upload of running) {
                if (paused) upload.resume();
                else upload.pause();
              }
            }}
          >
            <Icon name={paused ? 'play' : 'pause'} />
          </button>
        )}
        <button
          type="button"
          className="round"
          aria-expanded={open}
          aria-label={say(open ? 'tray.shut' : 'tray.open')}
          onClick={() => {
            sessionStorage.setItem(KEPT_OPEN, open ? 'no' : 'yes');
            setOpen(!open);
          }}
        >
          <Icon name={open ? 'shut' : 'up'} />
        </button>
      </div>
      {open && (
        <>
          <ul className="tray-lines" tabIndex={0} aria-labelledby="uploads">
            {lines.map((upload) => (
              <TrayLine key={upload.id} upload={upload} />
            ))}
          </ul>
          <div className="tray-foot">
            <span className="small soft">{running.length > 0 && say('tray.leave')}</span>
            {failed.length > 1 && (
              <button
                type="button"
                className="button"
                onClick={() => {
                  for (const upload of failed) upload.retry();
                }}
              >
                {say('tray.retryAll')}
              </button>
            )}
            {uploads.some(({ state }) => state === 'done' || state === 'cancelled') && (
              <button
                type="button"
                className="button quiet"
                onClick={() => moorage.uploads.clear()}
              >
                {say('tray.clear')}
              </button>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function summary(uploads: readonly AnyUpload[], open: boolean): string {
  const sending = uploads.filter(({ state }) => state === 'sending');
  const waiting = uploads.filter(needsPerson);
  const left = Math.max(0, ...sending.map(({ secondsLeft }) => secondsLeft ?? 0));
  const words = [
    sending.length > 0 && say('tray.sending', { count: sending.length }),
    left > 0 && say('tray.left', { time: duration(left) }),
    waiting.length > 0 &&
      ((open ? undefined : reasonOfOne(waiting)) ??
        say('tray.needsYou', { count: waiting.length })),
  ].filter((word) => word !== false);
  if (words.length > 0) return words.join(', ');
  const first = uploads.find((upload) => !isOver(upload));
  return first ? stateOf(first) : say('tray.allDone');
}

/** Why the only upload that needs the person has failed. Nobody must open the tray to know. */
function reasonOfOne([only, ...others]: readonly AnyUpload[]): string | undefined {
  return others.length === 0 && only?.state === 'failed' && only.error
    ? reasonOfUpload(only.error)
    : undefined;
}

/** Tells screen readers the beginning, each quarter and the end of all uploads together. */
function useVoice(uploads: readonly AnyUpload[]): void {
  const said = useRef(-1);
  const counted = uploads.filter(({ state }) => state !== 'cancelled');
  const total = counted.reduce((sum, { size }) => sum + size, 0);
  const sent = counted.reduce(
    (sum, upload) => sum + (isOver(upload) ? upload.size : upload.sent),
    0,
  );
  const running = counted.some((upload) => !isOver(upload));
  const quarter = running ? Math.min(3, Math.floor((4 * sent) / Math.max(1, total))) : -1;
  useEffect(() => {
    if (quarter === said.current) return;
    if (quarter === -1) speak(say('tray.aloudEnd'));
    else if (said.current === -1) speak(say('tray.aloudStart', { count: counted.length }));
    else if (quarter > said.current) speak(say('tray.aloudQuarter', { percent: quarter * 25 }));
    said.current = quarter;
  }, [quarter]);
}

/** The browser asks before it leaves the page, while a file is on its way. */
function useWarning(running: boolean): void {
  useEffect(() => {
    if (!running) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [running]);
}
