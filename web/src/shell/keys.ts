import { useEffect, useEffectEvent } from 'react';
import { inField } from './focus';

interface Keys {
  [key: string]: (() => void) | undefined;
}

/** Films and areas that scroll have their own use for keys. */
const OWN_KEYS = 'video, audio, .scrolls';

/** Space presses buttons, and scrolls what has the focus for that. */
const OWN_SPACE = 'button, a, summary, [tabindex="0"], video, audio';

/** Keys (`i`, `ArrowLeft`, `Ctrl+f`) that act while a dialog of this class is in front and nobody writes in a field. */
export function useKeys(dialog: string, keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.altKey || event.isComposing || inField(event)) return;
    if (!(target instanceof Element) || target.closest(`dialog:not(.${dialog})`)) return;
    const name = key.length === 1 ? key.toLowerCase() : key;
    const act = keys[event.ctrlKey || event.metaKey ? `Ctrl+${name}` : name];
    if (!act || (key.startsWith('Arrow') && target.closest(OWN_KEYS))) return;
    if (key === ' ' && target.closest(OWN_SPACE)) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
