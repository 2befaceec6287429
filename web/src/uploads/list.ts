/** The uploads of this person, as React sees them. */
import type { AnyUpload } from 'moorage-client';
import { useSyncExternalStore } from 'react';
import { moorage } from '../service';
import { say } from '../words';
import { size } from '../words/formats';

/** Progress is drawn so often at most, in milliseconds. */
const PACE = 250;

let version = 0;
let drawing: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const heard = new WeakSet<AnyUpload>();

function draw(): void {
  clearTimeout(drawing);
  drawing = undefined;
  version += 1;
  for (const listener of listeners) listener();
}
moorage.uploads.on('change', () => {
  for (const upload of moorage.uploads.list()) {
    if (heard.has(upload)) continue;
    heard.add(upload);
    upload.on('progress', () => {
      drawing ??= setTimeout(draw, PACE);
    });
  }
  draw();
});

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Draws again whenever an upload comes, goes, moves on or changes its state. */
export function useUploads(): readonly AnyUpload[] {
  useSyncExternalStore(subscribe, () => version);
  return moorage.uploads.list();
}

/** What an upload does. The service asks for a pause when it is busy: that is not its turn. */
export function stateOf(upload: AnyUpload): string {
  const { state, error, continues, continuesAt, needsFile } = upload;
  if (state === 'queued' && error) return say('state.busy');
  if (state === 'paused' && continues) return say('state.halted');
  if (state === 'sending' && continuesAt !== undefined)
    return say('state.resumed', { size: size(continuesAt) });
  // Seven days after its beginning.
  if (state === 'expired' && !needsFile) return say('state.tooOld');
  return say(`state.${state}`);
}

const over = new Set(['done', 'failed', 'expired', 'cancelled']);
export const isOver = ({ state }: AnyUpload): boolean => over.has(state);
export const needsPerson = ({ state }: AnyUpload): boolean =>
  state === 'failed' || state === 'expired';
