/** The one search box. `/` focuses the first that is on the page. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { say } from '../words';
import { Icon } from './icon';

export function SearchBox({ search = '', focus = false }: { search?: string; focus?: boolean }) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const slash = (event: KeyboardEvent): void => {
      const typing =
        event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!field.current?.checkVisibility() || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      field.current.focus();
    };
    document.addEventListener('keydown', slash);
    return () => document.removeEventListener('keydown', slash);
  }, []);
  return (
    <form
      role="search"
      className="seek"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/search', search: { q: field.current?.value ?? '' } });
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        name="q"
        defaultValue={search}
        key={search}
        aria-label={say('app.search')}
        placeholder={say('app.searchPlaceholder')}
        autoFocus={focus}
        maxLength={200}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
