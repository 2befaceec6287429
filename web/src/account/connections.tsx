/** The storages that the person can connect to, and those that are connected. */
import {
  EndConnectionDocument,
  MyStoragesDocument,
  StorageAccountsDocument,
  type StorageHeadingFragment,
} from '../generated/documents';
import { Paged, PAGE, usePaged } from '../find/paged';
import { connectAddress } from '../links/berth';
import { answers, moorage } from '../service';
import { Time } from '../shell/time';
import { say, type WordKey } from '../words';
import { End, Panel, Setting } from './panel';

const key = ['account', 'connections'] as const;

export function Connections() {
  const accounts = usePaged([...key, 'accounts'], async (after, signal) => {
    const variables = { first: PAGE, after };
    return (await moorage.query(StorageAccountsDocument, variables, { signal })).viewer.connections;
  });
  const storages = usePaged([...key, 'storages'], async (after, signal) => {
    const variables = { first: PAGE, after };
    return (await moorage.query(MyStoragesDocument, variables, { signal })).storages;
  });
  const stateOf = (id: string) => storages.rows.find((storage) => storage.id === id);
  const connected = new Set(accounts.rows.map(({ storage }) => storage.id));
  const others = storages.rows.filter(
    ({ id, authorizeUrl }) => !connected.has(id) && authorizeUrl !== '',
  );
  return (
    <Panel id="connections" title={say('account.connections')}>
      <p className="small soft">{say('account.connectionsWhy')}</p>
      <Paged list={accounts} empty={<p className="soft">{say('account.noConnections')}</p>}>
        {(rows) => (
          <ul className="settings">
            {rows.map(({ id, storage, originUserId, createdAt }) => (
              <Setting
                key={id}
                name={storage.name}
                facts={
                  <>
                    {originUserId && <>{say('account.connectedAs', { name: originUserId })} </>}
                    {say('account.since')} <Time of={createdAt} /> {problemOf(stateOf(storage.id))}
                  </>
                }
              >
                {stateOf(storage.id)?.authorizationState === 'FAILED_AUTHORIZATION' && (
                  <Connect storage={stateOf(storage.id)} />
                )}
                <End
                  name={say('account.endConnectionOf', { name: storage.name })}
                  label={say('account.disconnect')}
                  title={say('account.endConnectionOf', { name: storage.name })}
                  why={say('account.endConnectionWhy')}
                  done={say('account.connectionEnded', { name: storage.name })}
                  run={async () => {
                    await moorage.mutate(EndConnectionDocument, { id });
                    await answers.invalidateQueries({ queryKey: key });
                  }}
                />
              </Setting>
            ))}
          </ul>
        )}
      </Paged>
      {others.length > 0 && accounts.query.isSuccess && (
        <ul className="settings">
          {others.map((storage) => (
            <Setting key={storage.id} name={storage.name} facts={stateWords(storage)}>
              {storage.authorizationState !== 'CONNECTED' && <Connect storage={storage} />}
            </Setting>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Connect({ storage }: { storage: StorageHeadingFragment | undefined }) {
  if (!storage?.authorizeUrl) return null;
  return (
    <a
      className="button main"
      href={connectAddress(storage.authorizeUrl)}
      aria-label={say('account.connectTo', { name: storage.name })}
    >
      {say('account.connect')}
    </a>
  );
}

const words: { [state in StorageHeadingFragment['authorizationState']]: WordKey } = {
  CONNECTED: 'links.connected',
  ERROR: 'links.silent',
  FAILED_AUTHORIZATION: 'links.notConnected',
};
const stateWords = ({ authorizationState }: StorageHeadingFragment): string =>
  say(words[authorizationState]);

/** What keeps a connection from working now. */
const problemOf = (storage: StorageHeadingFragment | undefined) =>
  storage && storage.authorizationState !== 'CONNECTED' ? `· ${stateWords(storage)}` : '';
