import { say, type WordKey } from '../words';

/** A field that narrows a list while the person types. */
export function FilterField({
  label,
  value,
  onChange,
  focus = false,
}: {
  label: WordKey;
  value: string;
  onChange: (value: string) => void;
  focus?: boolean;
}) {
  return (
    <input
      type="search"
      className="inline-field"
      aria-label={say(label)}
      placeholder={say(label)}
      value={value}
      autoFocus={focus}
      maxLength={200}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
