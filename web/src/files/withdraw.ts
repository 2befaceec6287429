/** Deletion with undo: a file leaves the page at once, and the service ten seconds later. */
import { useSyncExternalStore } from 'react';
import { DeleteAttachmentDocument, DeleteAttachmentsDocument } from '../generated/documents';
import { moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { tell } from '../shell/messages';
import { say } from '../words';
import { inGroups } from './in-groups';
import { refresh } from './refresh';

const HELD_BACK = 10_000;

interface File {
  id: string;
  fileName: string;
}
interface Held {
  files: readonly File[];
  send: (keepAlive?: boolean) => Promise<void>;
}

const held = new Set<Held>();
let ids: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
function changed(next: ReadonlySet<string>): void {
  ids = next;
  for (const listener of listeners) listener();
}

export const isWithdrawn = (id: string): boolean => ids.has(id);
/** Draws a list again when files leave it or come back. */
export const useWithdrawn = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => ids);

function show(files: readonly File[]): void {
  const next = new Set(ids);
  for (const { id } of files) next.delete(id);
  changed(next);
}

export function withdraw(containerId: string, files: readonly File[]): void {
  changed(new Set([...ids, ...files.map(({ id }) => id)]));
  const one: Held = {
    files,
    send: async (keepAlive = false) => {
      if (!held.delete(one)) return;
      clearTimeout(timer);
      // All leave at once: the page may be going.
      await Promise.all(inGroups(files).map((group) => removeAll(group, keepAlive)));
      refresh(containerId);
    },
  };
  held.add(one);
  const timer = setTimeout(() => void one.send(), HELD_BACK);
  const forget = tell(say('files.deleted', { count: files.length }), {
    label: say('files.undo'),
    run: () => {
      clearTimeout(timer);
      if (!held.delete(one)) return;
      forget();
      show(files);
      tell(say('files.restored', { count: files.length }));
    },
  });
}

/** All of a group, or none. Then one after the other, to say which one stays and why. */
async function removeAll(files: readonly File[], keepAlive: boolean): Promise<void> {
  const ids = files.map(({ id }) => id);
  try {
    await moorage.mutate(DeleteAttachmentsDocument, { ids }, { keepAlive });
  } catch {
    for (const file of files) await remove(file, keepAlive);
  }
}

async function remove(file: File, keepAlive: boolean): Promise<void> {
  try {
    await moorage.mutate(DeleteAttachmentDocument, { id: file.id }, { keepAlive });
  } catch (error) {
    show([file]);
    tell(say('files.deleteFailed', { name: file.fileName, reason: reasonOf(error) }));
  }
}

// What is held back is sent when the page is left: a person who deleted a file expects it to go.
addEventListener('pagehide', () => {
  for (const one of held) void one.send(true);
});
