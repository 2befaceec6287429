/** A picture that fits the window, and that can be made larger and turned. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Icon, type IconName } from '../shell/icon';
import { useKeys } from '../shell/keys';
import { say } from '../words';
import type { ViewedFile } from './attachments-query';

/** The longer side of a large thumbnail. */
const LARGE = 1_600;
const STEP = 1.25;
const MOST = 8;

interface Size {
  width: number;
  height: number;
}

export function PictureView({
  file,
  original,
  fail,
}: {
  file: ViewedFile;
  original: string;
  fail: () => void;
}) {
  const stage = useRef<HTMLDivElement>(null);
  const room = useRoom(stage);
  const [natural, setNatural] = useState<Size | undefined>(
    file.width && file.height ? { width: file.width, height: file.height } : undefined,
  );
  const [zoom, setZoom] = useState<number>();
  const [turns, setTurns] = useState(0);
  // A still picture says nothing of one that moves.
  const [small, setSmall] = useState(
    file.contentType === 'image/gif' ? undefined : file.large?.href,
  );
  const turned = natural && turns % 2 === 1 ? flip(natural) : natural;
  const fit =
    turned && room ? Math.min(1, room.width / turned.width, room.height / turned.height) : 1;
  const scale = zoom ?? fit;
  const zoomed = zoom !== undefined && zoom > fit;
  const enough = natural && scale * Math.max(natural.width, natural.height) <= LARGE;
  const source = small && (!zoomed || enough) ? small : original;

  const larger = (): void => setZoom(Math.min(MOST, scale * STEP));
  const smaller = (): void => setZoom(scale / STEP > fit ? scale / STEP : undefined);
  const fitAgain = (): void => setZoom(undefined);
  const turn = (): void => setTurns(turns + 1);
  useKeys('viewer', { '+': larger, '=': larger, '-': smaller, '0': fitAgain, r: turn });

  return (
    <>
      <div
        ref={stage}
        className={zoomed ? 'picture scrolls' : 'picture'}
        role={zoomed ? 'region' : undefined}
        aria-label={zoomed ? file.fileName : undefined}
        tabIndex={zoomed ? 0 : undefined}
      >
        <div
          className="picture-box"
          style={turned && { width: turned.width * scale, height: turned.height * scale }}
        >
          <img
            src={source}
            alt={file.fileName}
            style={{
              ...(natural && { width: natural.width * scale, height: natural.height * scale }),
              rotate: `${turns / 4}turn`,
            }}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
              if (!natural) setNatural({ width, height });
            }}
            onError={() => (source === original ? fail() : setSmall(undefined))}
          />
        </div>
      </div>
      <div className="viewer-zoom" role="group" aria-label={say('viewer.zoom')}>
        <Tool icon="minus" label={say('viewer.smaller')} shortcut="-" run={smaller} />
        <output>{say('viewer.percent', { percent: Math.round(scale * 100) })}</output>
        <Tool icon="plus" label={say('viewer.larger')} shortcut="+" run={larger} />
        <Tool icon="fit" label={say('viewer.fit')} shortcut="0" run={fitAgain} />
        <Tool icon="again" label={say('viewer.turn')} shortcut="R" run={turn} />
      </div>
    </>
  );
}

function Tool({
  icon,
  label,
  shortcut,
  run,
}: {
  icon: IconName;
  label: string;
  shortcut: string;
  run: () => void;
}) {
  return (
    <button
      type="button"
      className="round"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      onClick={run}
    >
      <Icon name={icon} />
    </button>
  );
}

const flip = ({ width, height }: Size): Size => ({ width: height, height: width });

function useRoom(element: RefObject<HTMLElement | null>): Size | undefined {
  const [room, setRoom] = useState<Size>();
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return room;
}
