/** The one search box. `/` focuses the first that is on the page. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { say } from '../words';
import { inField, isBehindDialog } from './focus';
import { Icon } from './icon';

export function SearchBox({ search = '', focus = false }: { search?: string; focus?: boolean }) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const slash = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.isComposing || inField(event)) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isBehindDialog()) return;
      if (!field.current?.checkVisibility()) return;
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
