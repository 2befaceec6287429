/** A menu at a place of the window, above everything else. On phones it lies at the lower edge. */
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';

/** Distance from the edges of the window, in pixels. */
const EDGE = 8;

export interface Place {
  x: number;
  y: number;
}

export function PopMenu({
  label,
  at,
  onClose,
  children,
}: {
  label: string;
  at: Place;
  onClose: () => void;
  children: ReactNode;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const items = (): HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
  ];
  useLayoutEffect(() => {
    const element = menu.current;
    if (!element) return;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    const isRightToLeft = document.documentElement.dir === 'rtl';
    const left = isRightToLeft ? at.x - width : at.x;
    element.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
    element.style.top = `${Math.max(EDGE, Math.min(at.y, innerHeight - height - EDGE))}px`;
    items()[0]?.focus();
  }, [at]);
  useEffect(() => {
    const hide = (): void => menu.current?.hidePopover();
    addEventListener('scroll', hide, { passive: true });
    addEventListener('resize', hide);
    return () => {
      removeEventListener('scroll', hide);
      removeEventListener('resize', hide);
    };
  }, []);

  function onKeyDown(event: KeyboardEvent): void {
    // What the keys mean elsewhere, they do not mean here.
    event.stopPropagation();
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const key = event.key.toLowerCase();
    const next: { [key: string]: number } = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const begins = all.findIndex(
      (item, index) => index > at && item.textContent.toLowerCase().startsWith(key),
    );
    const again = all.findIndex((item) => item.textContent.toLowerCase().startsWith(key));
    const to = next[event.key] ?? (begins >= 0 ? begins : again);
    if (event.key === 'Tab') menu.current?.hidePopover();
    else if (to < 0) return;
    else all[to]?.focus();
    event.preventDefault();
  }

  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      aria-label={label}
      className="menu-list pop"
      onKeyDown={onKeyDown}
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose();
      }}
      onClick={() => menu.current?.hidePopover()}
    >
      {children}
    </div>
  );
}
