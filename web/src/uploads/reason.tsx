/** Why an upload did not arrive, and what can be done about it. */
import type { MoorageError } from 'moorage-client';
import { isSignedOut, signInAddress } from '../service';
import { reasonOf } from '../shell/failure';
import { say, type WordKey } from '../words';

const known: { [identifier: string]: WordKey } = {
  NETWORK: 'tray.silent',
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
  const { identifier = '', status = 0 } = error as Partial<MoorageError>;
  const key = (identifier === 'STORAGE_REFUSED' && refusals[status]) || known[identifier];
  return key ? say(key) : reasonOf(error);
}

export function Reason({ error }: { error: MoorageError }) {
  const { identifier, message } = error;
  return (
    <>
      <span>{reasonOfUpload(error)}</span>
      {isSignedOut(error) && (
        <a href={signInAddress()} target="_blank">
          {say('app.signIn')}
        </a>
      )}
      {['NETWORK', 'STORE_REFUSED', 'STORAGE_REFUSED'].includes(identifier) && (
        <details>
          <summary>{say('app.details')}</summary>
          <p>{message}</p>
        </details>
      )}
    </>
  );
}
