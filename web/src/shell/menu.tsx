/** A button that opens a short list. Escape, a click elsewhere and a choice close it. */
import { useEffect, useRef, type ReactNode } from 'react';

export function Menu({
  label,
  className = '',
  face,
  children,
}: {
  label: string;
  className?: string;
  face: ReactNode;
  children: ReactNode;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const shut = (event: Event): void => {
      const details = menu.current;
      if (!details?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        details.querySelector('summary')?.focus();
      } else if (details.contains(event.target as Node)) return;
      details.open = false;
    };
    document.addEventListener('click', shut);
    document.addEventListener('keydown', shut);
    return () => {
      document.removeEventListener('click', shut);
      document.removeEventListener('keydown', shut);
    };
  }, []);
  return (
    <details className={`menu ${className}`} ref={menu}>
      <summary className="round" aria-label={label}>
        {face}
      </summary>
      <div
        className="menu-list"
        onClick={() => {
          if (!menu.current) return;
          // What was chosen is hidden now. A dialog gives the focus back to what had it before.
          menu.current.querySelector('summary')?.focus();
          menu.current.open = false;
        }}
      >
        {children}
      </div>
    </details>
  );
}
