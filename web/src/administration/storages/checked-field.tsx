/** A field whose form is checked while a person types, in words that a screen reader says politely. */
import { useEffect, useState, type ComponentProps } from 'react';
import { Icon } from '../../shell/icon';
import { say, type WordKey } from '../../words';
import { Field } from '../form';

/** A pause of this length ends a word. */
const TYPING_MS = 500;

export function CheckedField({
  check,
  ...field
}: ComponentProps<typeof Field> & { check: (text: string) => WordKey }) {
  const [text, setText] = useState('');
  const [word, setWord] = useState<WordKey>();
  useEffect(() => {
    const entered = text.trim();
    const wait = setTimeout(() => setWord(entered ? check(entered) : undefined), TYPING_MS);
    return () => clearTimeout(wait);
  }, [text, check]);
  const isFine = word === 'address.fine';
  return (
    <div className="field-and-hints">
      <Field {...field} onChange={(event) => setText(event.target.value)} />
      {/* It is there before its words: only then are they said. */}
      <div className="hints" role="status">
        {word && (
          <p className={`state ${isFine ? 'good' : 'wait'}`}>
            <Icon name={isFine ? 'check' : 'pencil'} />
            <span>{say(word)}</span>
          </p>
        )}
      </div>
    </div>
  );
}
