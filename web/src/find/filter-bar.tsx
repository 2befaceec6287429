/** Fields that narrow a list of files. */
import type { ReactNode } from 'react';
import { Icon } from '../shell/icon';
import { say, type WordKey } from '../words';
import { fileKinds, hasFilters, kindLabel, spanLabel, spans, type Filters } from './file-filters';

export interface Named {
  databaseId: number;
  name: string;
}

export function FilterBar({
  filters,
  onChange,
  people,
  projects,
  children,
}: {
  filters: Filters;
  onChange: (filters: Filters) => void;
  /** Whom one can choose; absent where all files are of one person. */
  people?: readonly Named[];
  projects?: readonly Named[];
  children?: ReactNode;
}) {
  const number = (value: string): number | undefined => (value ? Number(value) : undefined);
  return (
    <div className="filters" role="group" aria-label={say('filters.label')}>
      <Choice
        label="filters.kind"
        any="filters.anyKind"
        value={filters.kind ?? ''}
        options={Object.keys(fileKinds).map((kind) => {
          const known = kind as keyof typeof fileKinds;
          return [kind, say(kindLabel(known))];
        })}
        onChange={(kind) => onChange({ ...filters, kind: (kind || undefined) as Filters['kind'] })}
      />
      {people && (
        <Choice
          label="filters.person"
          any="filters.anyPerson"
          value={String(filters.person ?? '')}
          options={people.map(({ databaseId, name }) => [String(databaseId), name])}
          onChange={(person) => onChange({ ...filters, person: number(person) })}
        />
      )}
      {projects && (
        <Choice
          label="filters.project"
          any="filters.anyProject"
          value={String(filters.project ?? '')}
          options={projects.map(({ databaseId, name }) => [String(databaseId), name])}
          onChange={(project) => onChange({ ...filters, project: number(project) })}
        />
      )}
      <Choice
        label="filters.date"
        any="filters.anyDate"
        value={String(filters.days ?? '')}
        options={spans.map((span) => [String(span), say(spanLabel(span))])}
        onChange={(days) => onChange({ ...filters, days: number(days) as Filters['days'] })}
      />
      {hasFilters(filters) && (
        <button type="button" className="button quiet" onClick={() => onChange({})}>
          <Icon name="close" />
          {say('filters.clear')}
        </button>
      )}
      {children}
    </div>
  );
}

function Choice({
  label,
  any,
  value,
  options,
  onChange,
}: {
  label: WordKey;
  any: WordKey;
  value: string;
  options: string[][];
  onChange: (value: string) => void;
}) {
  return (
    <select
      className={value ? 'inline-field set' : 'inline-field'}
      aria-label={say(label)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{say(any)}</option>
      {options.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
