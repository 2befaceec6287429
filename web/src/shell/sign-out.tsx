/** Signs out. It asks first while uploads of this window would be lost. */
import { useState } from 'react';
import { moorage } from '../service';
import { isOver, useUploads } from '../uploads/list';
import { say } from '../words';
import { Dialog } from './dialog';

async function signOut(): Promise<void> {
  await moorage.uploads.forget();
  await fetch('/logout', { method: 'POST', headers: { 'X-Requested-With': 'XMLHttpRequest' } });
  location.assign('/login');
}

/** @returns what the button does, and the question when it is asked */
export function useSignOut() {
  const running = useUploads().filter((upload) => !isOver(upload)).length;
  const [asking, setAsking] = useState(false);
  const stay = (): void => setAsking(false);
  const label = say('app.stillSending', { count: running });
  return {
    leave: () => (running > 0 ? setAsking(true) : void signOut()),
    question: asking && (
      <Dialog label={label} className="small" onClose={stay}>
        <form method="dialog" onSubmit={(event) => event.preventDefault()}>
          <h2>{label}</h2>
          <div className="row">
            <button type="button" className="button main" onClick={stay}>
              {say('app.stay')}
            </button>
            <button type="button" className="button" onClick={() => void signOut()}>
              {say('app.signOut')}
            </button>
          </div>
        </form>
      </Dialog>
    ),
  };
}
