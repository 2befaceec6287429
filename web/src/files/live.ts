/**
 * Changes that the service sends. All windows of a browser share one stream for each topic: the one
 * that holds the lock reads it and tells the others. Browsers open six streams of a service at most.
 */
import type { Document } from 'moorage-client';
import { useEffect, useEffectEvent } from 'react';
import { moorage } from '../service';

/** What came: a change, or `undefined` where changes may have been missed. */
type Told<Change> = { change: Change | undefined };

/**
 * Listens while the page is visible. `missed` is called when changes may have been missed: between
 * the first read and the opening of the stream, after a lost connection, and while a page was hidden.
 */
export function useLive<Change, Variables extends object>(
  topic: string,
  events: Document<Change, Variables>,
  variables: Variables,
  heard: (change: Change) => void,
  missed: () => void,
): void {
  const onHeard = useEffectEvent(heard);
  const onMissed = useEffectEvent(missed);
  const key = JSON.stringify(variables);
  useEffect(() => {
    const windows = new BroadcastChannel(`moorage ${topic} ${key}`);
    let reading: AbortController | undefined;
    const take = ({ change }: Told<Change>): void =>
      change === undefined ? onMissed() : onHeard(change);
    windows.onmessage = ({ data }: MessageEvent<Told<Change>>) => {
      if (reading) take(data);
    };
    const tellAll = (told: Told<Change>): void => {
      take(told);
      windows.postMessage(told);
    };

    async function read(signal: AbortSignal): Promise<void> {
      const changes = moorage.subscribe(events, JSON.parse(key) as Variables, {
        signal,
        onState: (state) => {
          // What was read before this moment may be old.
          if (state === 'open') tellAll({ change: undefined });
        },
      });
      for await (const change of changes) tellAll({ change });
    }
    function start(): void {
      const control = new AbortController();
      reading = control;
      navigator.locks
        .request(`moorage ${topic} ${key}`, { signal: control.signal }, () => read(control.signal))
        // The stream ends when the page does, or when the person may no longer see the object.
        .catch(() => undefined);
    }
    function turn(): void {
      if (document.hidden) {
        reading?.abort();
        reading = undefined;
      } else if (!reading) {
        start();
        onMissed();
      }
    }
    if (!document.hidden) start();
    document.addEventListener('visibilitychange', turn);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      reading?.abort();
      reading = undefined;
      windows.close();
    };
  }, [topic, key, events]);
}
