/** A choice among many: a field that narrows the list, and the list. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { say } from '../words';
import { Choice, Field } from './form';

export function Finder({
  name,
  label,
  search,
  any,
}: {
  name: string;
  label: string;
  search: (text: string) => Promise<readonly { id: string; name: string }[]>;
  /** The first entry, which chooses nothing. */
  any?: string;
}) {
  const [text, setText] = useState('');
  const found = useQuery({
    queryKey: ['administration', 'find', label, text],
    queryFn: () => search(text),
    placeholderData: (previous) => previous,
  });
  return (
    <div className="form-2">
      <Field
        name={`find ${name}`}
        type="search"
        label={say('admin.find', { what: label })}
        onChange={(event) => setText(event.target.value)}
      />
      <Choice
        name={name}
        label={label}
        options={[
          ...(any === undefined ? [] : [{ value: '', label: any }]),
          ...(found.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </div>
  );
}
