/** The uploads of this person, as React sees them. */
import type { Upload } from 'moorage-client';
import { useSyncExternalStore } from 'react';
import { moorage } from '../service';

let version = 0;
const subscribe = (listener: () => void): (() => void) =>
  moorage.uploads.on('change', () => {
    version += 1;
    listener();
  });

/** Draws again whenever an upload comes, goes, moves on or changes its state. */
export function useUploads(): readonly Upload[] {
  useSyncExternalStore(subscribe, () => version);
  return moorage.uploads.list();
}

const over = new Set(['done', 'failed', 'expired', 'cancelled']);
export const isOver = ({ state }: Upload): boolean => over.has(state);
export const needsPerson = ({ state }: Upload): boolean =>
  state === 'failed' || state === 'expired';
