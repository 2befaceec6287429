/** One storage with its linked files, and how it stands. */
import type { LinkedFileFragment, StorageHeadingFragment } from '../generated/documents';
import { Again } from '../shell/again';
import { Icon } from '../shell/icon';
import { say } from '../words';
import { LinkedFile } from './linked-file';

const looks = { CONNECTED: '', ERROR: 'slack', FAILED_AUTHORIZATION: 'loose' } as const;

const problems = {
  NONE: { short: 'links.silent', says: 'links.silentSays' },
  ASKED_TO_WAIT: { short: 'links.waits', says: 'links.waitsSays' },
  CLIENT_REFUSED: { short: 'links.refused', says: 'links.refusedSays' },
} as const;

export function Berth({
  storage,
  links,
  asking,
  mayManage,
  browse,
  refresh,
}: {
  storage: StorageHeadingFragment;
  links: readonly LinkedFileFragment[];
  asking: boolean;
  mayManage: boolean;
  browse: () => void;
  refresh: () => void;
}) {
  const { authorizationState: state } = storage;
  const heading = `storage-${storage.id}`;
  return (
    <section className={`berth ${looks[state]}`} aria-labelledby={heading}>
      <div className="berth-head">
        <span className="bollard">
          <Icon name={storage.type === 'CLOUD_DRIVE' ? 'cloud' : 'server'} />
        </span>
        <div>
          <h3 id={heading}>
            <bdi>{storage.name}</bdi>
          </h3>
          <StorageState storage={storage} />
        </div>
        {state === 'FAILED_AUTHORIZATION' && storage.authorizeUrl && (
          <a className="button main" href={connectAddress(storage.authorizeUrl)}>
            {say('links.connect')}
          </a>
        )}
        {state === 'CONNECTED' && (
          <a className="button quiet" href={openAddress(storage)} target="_blank" rel="noreferrer">
            <Icon name="out" />
            {say('links.openStorage')}
          </a>
        )}
        {state === 'CONNECTED' && mayManage && (
          <button type="button" className="button" onClick={browse}>
            <Icon name="link" />
            {say('links.add')}
          </button>
        )}
        {state === 'ERROR' && (
          <Again label={say('links.askAgain')} isAsking={asking} onAgain={refresh} />
        )}
      </div>
      {state === 'ERROR' && (
        <p className="note">
          <Icon name="clock" />
          {say(problems[storage.authorizationProblem ?? 'NONE'].says)}
        </p>
      )}
      {links.length > 0 ? (
        <ul className="line">
          {links.map((link) => (
            <LinkedFile
              key={link.id}
              link={link}
              asked={state !== 'FAILED_AUTHORIZATION'}
              refresh={refresh}
            />
          ))}
        </ul>
      ) : (
        <p className="soft small">{say('links.none')}</p>
      )}
    </section>
  );
}

/** Opens the storage. The service asks a drive for its address only when somebody goes there. */
const openAddress = ({ databaseId }: StorageHeadingFragment): string =>
  `/api/v3/storages/${databaseId}/open`;

/** After the storage's own sign-in the person is back on this page. */
export function connectAddress(address: string): string {
  const url = new URL(address, location.href);
  if (url.origin === location.origin) url.searchParams.set('destination_url', location.pathname);
  return url.href;
}

function StorageState({
  storage: { authorizationState: state, authorizationProblem: problem },
}: {
  storage: StorageHeadingFragment;
}) {
  if (state === 'CONNECTED')
    return (
      <span className="state good">
        <Icon name="check" />
        {say('links.connected')}
      </span>
    );
  if (state === 'ERROR')
    return (
      <span className="state wait">
        <Icon name="warn" />
        {say(problems[problem ?? 'NONE'].short)}
      </span>
    );
  return (
    <span className="state">
      <Icon name="key" />
      {say('links.notConnected')}
    </span>
  );
}
