import { useEffect, useEffectEvent } from 'react';
import { inField } from './focus';

interface Keys {
  [key: string]: (() => void) | undefined;
}

/** Films and areas that scroll have their own use for keys. */
const OWN_KEYS = 'video, audio, .scrolls';

/** Keys that act while a dialog of this class is in front and nobody writes in a field. */
export function useKeys(dialog: string, keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || inField(event)) return;
    if (!(target instanceof Element) || target.closest(`dialog:not(.${dialog})`)) return;
    const act = keys[key.length === 1 ? key.toLowerCase() : key];
    if (!act || (key.startsWith('Arrow') && target.closest(OWN_KEYS))) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
