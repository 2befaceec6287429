/** What the keys do, told when somebody presses `?` outside of fields. */
import { useEffect, useEffectEvent, useState } from 'react';
import { say, type WordKey } from '../words';
import { Dialog } from './dialog';
import { inField } from './focus';
import { Icon } from './icon';

const maps: { title: WordKey; keys: [keys: string[], does: WordKey][] }[] = [
  {
    title: 'keys.everywhere',
    keys: [
      [['/'], 'keys.search'],
      [['?'], 'keys.map'],
      [['Esc'], 'keys.close'],
    ],
  },
  {
    title: 'keys.lists',
    keys: [
      [['←', '→', '↑', '↓'], 'keys.move'],
      [['Space'], 'keys.select'],
      [['Shift', '↓'], 'keys.range'],
      [['Ctrl', 'A'], 'keys.all'],
      [['Enter'], 'keys.open'],
      [['F2'], 'keys.rename'],
      [['Del'], 'keys.delete'],
    ],
  },
  {
    title: 'keys.viewer',
    keys: [
      [['←', '→'], 'keys.step'],
      [['Space'], 'keys.stepOn'],
      [['+', '−', '0'], 'keys.zoom'],
      [['R'], 'keys.turn'],
      [['Ctrl', 'F'], 'keys.find'],
      [['I'], 'keys.details'],
      [['D'], 'keys.download'],
      [['L'], 'keys.link'],
    ],
  },
];

export function KeyboardMap() {
  const [open, setOpen] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || inField(event)) return;
    // The viewer is a page of its own. Other dialogs have the person's answer first.
    if (document.querySelector('dialog[open]:not(.viewer)')) return;
    event.preventDefault();
    setOpen(true);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    const show = (): void => setOpen(true);
    addEventListener('keydown', listener);
    addEventListener(SHOW, show);
    return () => {
      removeEventListener('keydown', listener);
      removeEventListener(SHOW, show);
    };
  }, []);
  if (!open) return null;
  const close = (): void => setOpen(false);
  return (
    <Dialog label={say('keys.title')} className="keys" onClose={close}>
      <div className="row">
        <h2>{say('keys.title')}</h2>
        <button type="button" className="round push" aria-label={say('app.close')} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div className="key-maps">
        {maps.map(({ title, keys }) => (
          <section key={title}>
            <h3>{say(title)}</h3>
            <dl>
              {keys.map(([names, does]) => (
                <div key={does}>
                  <dt>
                    {names.map((name) => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </dt>
                  <dd>{say(does)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

const SHOW = 'moorage:keys';
/** Opens the map from a menu. */
export const showKeyboardMap = (): void => void dispatchEvent(new Event(SHOW));
