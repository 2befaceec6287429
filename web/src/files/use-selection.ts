/** Which files of a list are selected, which one the keyboard is on, and the keys that change both. */
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import type { AttachmentRowFragment } from '../generated/documents';

/** Letters that follow each other within this time are the beginning of one name. */
const TYPING_MS = 700;

type Row = Pick<AttachmentRowFragment, 'id' | 'databaseId' | 'fileName'>;

/** What the list does when a person acts on a file of it. */
interface Acts {
  open: (databaseId: number) => void;
  menu: (id: string, at: { x: number; y: number }) => void;
  rename: (id: string) => void;
  remove: (ids: readonly string[]) => void;
}

const elementOf = ({ databaseId }: Row): HTMLElement | null =>
  document.querySelector(`.files [data-id="${databaseId}"]`);

export const focusFile = (row: Row): void =>
  elementOf(row)?.querySelector<HTMLElement>('.open-file')?.focus();

/** How many files are beside each other: one in a table. */
function columnsOf(list: Element): number {
  const tops = [...list.querySelectorAll<HTMLElement>('[data-id]')].map((one) => one.offsetTop);
  const next = tops.findIndex((top) => top !== tops[0]);
  return list.matches('table') ? 1 : next < 0 ? tops.length : next;
}

export function useSelection(rows: readonly Row[], { open, menu, rename, remove }: Acts) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<string>();
  const anchor = useRef<string>(undefined);
  const typed = useRef({ text: '', until: 0 });
  const place = useRef({ index: 0, hasFocus: false });
  const index = rows.findIndex(({ id }) => id === active);
  // Without a file that the keyboard is on, Tab comes to the first.
  const current = rows[index] ?? rows[0];

  // When its file leaves the list, the keyboard goes on at the same place.
  useEffect(() => {
    if (index >= 0) place.current.index = index;
    else if (active !== undefined && rows.length > 0) {
      const next = rows[Math.min(place.current.index, rows.length - 1)];
      setActive(next?.id);
      if (next && place.current.hasFocus && document.activeElement === document.body)
        focusFile(next);
    }
  }, [rows, index, active]);

  const rowOf = (target: EventTarget): Row | undefined => {
    const id = target instanceof Element && target.closest<HTMLElement>('[data-id]')?.dataset['id'];
    return rows.find(({ databaseId }) => String(databaseId) === id);
  };
  const clear = (): void => setSelected(new Set());
  const selectAll = (): void => setSelected(new Set(rows.map(({ id }) => id)));
  const rangeTo = (id: string): string[] => {
    const ids = rows.map((row) => row.id);
    const from = ids.indexOf(anchor.current ?? id);
    const to = ids.indexOf(id);
    return from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  };
  function toggle(id: string, range: boolean): void {
    const isOn = !selected.has(id);
    const next = new Set(selected);
    for (const one of range ? rangeTo(id) : [id]) {
      if (isOn) next.add(one);
      else next.delete(one);
    }
    setSelected(next);
    anchor.current = id;
  }
  function go(to: number, range: boolean): void {
    const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!next) return;
    if (range) {
      anchor.current ??= current?.id;
      setSelected(new Set(rangeTo(next.id)));
    } else anchor.current = next.id;
    setActive(next.id);
    focusFile(next);
  }
  function type(letter: string): void {
    const now = Date.now();
    const isFirst = now > typed.current.until;
    const text = (isFirst ? '' : typed.current.text) + letter.toLowerCase();
    typed.current = { text, until: now + TYPING_MS };
    const from = Math.max(0, index) + (isFirst ? 1 : 0);
    const found = [...rows.keys()]
      .map((step) => (from + step) % rows.length)
      .find((one) => rows[one]?.fileName.toLowerCase().startsWith(text));
    if (found !== undefined) go(found, false);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const row = rowOf(event.target);
    const { key, shiftKey, altKey } = event;
    const hasControl = event.ctrlKey || event.metaKey;
    if (!row || event.defaultPrevented || altKey) return;
    if ((event.target as Element).matches('input:not([type=checkbox])')) return;
    const at = rows.indexOf(row);
    const beside = document.documentElement.dir === 'rtl' ? -1 : 1;
    const columns = columnsOf(event.currentTarget);
    const steps: { [key: string]: number } = {
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      ...(columns > 1 && { ArrowRight: at + beside, ArrowLeft: at - beside }),
      Home: 0,
      End: rows.length - 1,
    };
    const step = steps[key];
    const ids = selected.has(row.id) ? [...selected] : [row.id];
    if (step !== undefined && !hasControl) {
      if (step >= 0 && step < rows.length) go(step, shiftKey);
    } else if (hasControl && key.toLowerCase() === 'a' && !shiftKey) selectAll();
    else if (hasControl) return;
    else if (key === ' ' && (event.target as Element).matches('.open-file'))
      toggle(row.id, shiftKey);
    else if (key === 'F2') rename(row.id);
    else if (key === 'Delete') remove(ids);
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) openMenu(row);
    else if (key === 'Escape' && selected.size > 0) clear();
    else if (key.length === 1 && key !== ' ') type(key);
    else return;
    event.preventDefault();
  }
  function openMenu(row: Row): void {
    const box = elementOf(row)?.querySelector('.more')?.getBoundingClientRect();
    if (box) menu(row.id, { x: box.left, y: box.bottom });
  }
  function onClick(event: MouseEvent<HTMLElement>): void {
    const target = event.target as Element;
    const row = rowOf(target);
    if (!row) return;
    if (target.matches('.pick input')) toggle(row.id, event.shiftKey);
    else if (target.closest('.more')) openMenu(row);
    else if (!target.closest('.open-file')) return;
    else if (event.shiftKey || event.ctrlKey || event.metaKey) toggle(row.id, event.shiftKey);
    else open(row.databaseId);
  }
  function onContextMenu(event: MouseEvent<HTMLElement>): void {
    const row = rowOf(event.target);
    if (!row || (event.target as Element).matches('input:not([type=checkbox])')) return;
    event.preventDefault();
    menu(row.id, { x: event.clientX, y: event.clientY });
  }

  return {
    selected,
    current: current?.id,
    clear,
    selectAll,
    /** What the element of the list listens to, for all of its files. */
    list: {
      onKeyDown,
      onClick,
      onContextMenu,
      onFocus: ({ target }: { target: EventTarget }): void => {
        place.current.hasFocus = true;
        const row = rowOf(target);
        if (row) setActive(row.id);
      },
      onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }): void => {
        // An element that is removed with its file has no successor.
        if (relatedTarget !== null) place.current.hasFocus = false;
      },
    },
  };
}
