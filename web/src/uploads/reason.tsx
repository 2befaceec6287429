/** Why an upload did not arrive, and what can be done about it. */
import { MoorageError } from 'moorage-client';
import { isSignedOut } from '../service';
import { reasonOf } from '../shell/failure';
import { askToSignIn } from '../shell/session-over';
import { say, type WordKey } from '../words';

const known: { [code in MoorageError['code']]?: WordKey } = {
  UNREACHABLE: 'tray.silent',
  NO_ANSWER: 'tray.lost',
  STORE_REFUSED: 'tray.refused',
  STORAGE_REFUSED: 'tray.refused',
  STORE_UNUSABLE: 'tray.refused',
  FILE_CHANGED: 'tray.changed',
  FILE_DIFFERS: 'tray.different',
  FILE_NEEDED: 'state.expired',
};

/** By the status of a storage's answer. */
const refusals: { [status: number]: WordKey } = {
  403: 'tray.notAllowed',
  413: 'tray.tooLarge',
  415: 'tray.wrongContent',
  423: 'tray.locked',
  507: 'tray.full',
};

export function reasonOfUpload(error: unknown): string {
  if (!(error instanceof MoorageError)) return reasonOf(error);
  const { code, status } = error;
  const key = (code === 'STORAGE_REFUSED' && refusals[status]) || known[code];
  return key ? say(key) : reasonOf(error);
}

export function Reason({ error }: { error: MoorageError }) {
  const { code, message } = error;
  return (
    <>
      <span>{reasonOfUpload(error)}</span>
      {isSignedOut(error) && (
        <button type="button" className="link-button" onClick={askToSignIn}>
          {say('app.signIn')}
        </button>
      )}
      {['UNREACHABLE', 'STORE_REFUSED', 'STORAGE_REFUSED'].includes(code) && (
        <details>
          <summary>{say('app.details')}</summary>
          <p>{message}</p>
        </details>
      )}
    </>
  );
}
