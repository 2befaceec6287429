/** Which files are new for the person: added by others since the last visit of the page. */
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useMe } from '../shell/me';
import type { ListedFile } from './attachments-query';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Names of files that a notification has told of. */
    added?: readonly string[];
  }
}

const KEY = 'moorage visits';
/** Pages that are remembered, for all people of the browser. */
const MOST = 300;

/** When the newest file of a page was added that a person has seen. */
type Visits = [place: string, time: string][];

function visits(): Visits {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Visits;
  } catch {
    return [];
  }
}
const seenOf = (place: string): string | undefined => visits().find(([one]) => one === place)?.[1];
function remember(place: string, time: string): void {
  const others = visits().filter(([one]) => one !== place);
  localStorage.setItem(KEY, JSON.stringify([[place, time], ...others].slice(0, MOST)));
}

export function useNewFiles(containerId: string, rows: readonly ListedFile[]): ReadonlySet<string> {
  const self = useMe().data?.viewer.id;
  const told = useRouterState({ select: ({ location }) => location.state.added });
  const place = self && `${self} ${containerId}`;
  // As it was on arrival, however long the page stays open.
  const seen = useMemo(() => place && seenOf(place), [place]);
  const newest = rows.reduce((last, { createdAt }) => (createdAt > last ? createdAt : last), '');
  useEffect(() => {
    if (place && newest > (seenOf(place) ?? '')) remember(place, newest);
  }, [place, newest]);
  const isNew = ({ author, createdAt, fileName }: ListedFile): boolean =>
    self !== undefined &&
    author.id !== self &&
    ((seen !== undefined && createdAt > seen) || (told?.includes(fileName) ?? false));
  return new Set(rows.filter(isNew).map(({ id }) => id));
}
