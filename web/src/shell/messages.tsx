/** Short messages at the edge of the page, and the polite voice of screen readers. */
import { useSyncExternalStore } from 'react';
import { say } from '../words';
import { Icon } from './icon';

interface Message {
  id: number;
  text: string;
  action?: { label: string; run: () => void } | undefined;
}

const STAYS = 10_000;
let messages: readonly Message[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Shows a message for ten seconds. Gives back a function that takes it away. */
export function tell(text: string, action?: Message['action']): () => void {
  const id = ++last;
  const remove = (): void => change(messages.filter((one) => one.id !== id));
  change([...messages.slice(-2), { id, text, action }]);
  setTimeout(remove, STAYS);
  return remove;
}

let spoken = '';
/** Says something to screen readers only. */
export function speak(text: string): void {
  spoken = text;
  change([...messages]);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Messages() {
  const shown = useSyncExternalStore(subscribe, () => messages);
  return (
    <>
      <div className="unseen" role="status" id="voice">
        {spoken}
      </div>
      <div
        className="messages"
        role="region"
        aria-live="polite"
        aria-label={say('app.notifications')}
      >
        {shown.map(({ id, text, action }) => (
          <div className="message" key={id}>
            <p>{text}</p>
            {action && (
              <button type="button" className="button" onClick={action.run}>
                {action.label}
              </button>
            )}
            <button
              type="button"
              className="round"
              aria-label={say('app.close')}
              onClick={() => change(messages.filter((one) => one.id !== id))}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
