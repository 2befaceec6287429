/** The storages that the person can connect to, and those that are connected. */
import {
  EndConnectionDocument,
  MyStoragesDocument,
  StorageAccountsDocument,
  type StorageAccountsQuery,
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
  const stateOf = (id: string | undefined) => storages.rows.find((storage) => storage.id === id);
  const connected = new Set(accounts.rows.map(({ storage }) => storage?.id));
  const others = storages.rows.filter(
    ({ id, authorizeUrl }) => !connected.has(id) && authorizeUrl !== '',
  );
  return (
    <Panel id="connections" title={say('account.connections')}>
      <p className="small soft">{say('account.connectionsWhy')}</p>
      <Paged list={accounts} empty={<p className="soft">{say('account.noConnections')}</p>}>
        {(rows) => (
          <ul className="settings">
            {rows.map((account) => (
              <Connection key={account.id} account={account} state={stateOf(account.storage?.id)} />
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

type Account = StorageAccountsQuery['viewer']['connections']['nodes'][number];

function Connection({
  account: { id, storage, originUserId, createdAt },
  state,
}: {
  account: Account;
  state: StorageHeadingFragment | undefined;
}) {
  const name = storage?.name ?? say('account.hiddenStorage');
  return (
    <Setting
      name={name}
      facts={
        <>
          {originUserId && <>{say('account.connectedAs', { name: originUserId })} </>}
          {say('account.since')} <Time of={createdAt} />{' '}
          {storage ? problemOf(state) : `· ${say('account.hiddenStorageWhy')}`}
        </>
      }
    >
      {state?.authorizationState === 'FAILED_AUTHORIZATION' && <Connect storage={state} />}
      <End
        name={say('account.endConnectionOf', { name })}
        label={say('account.disconnect')}
        title={say('account.endConnectionOf', { name })}
        why={say('account.endConnectionWhy')}
        done={say('account.connectionEnded', { name })}
        run={async () => {
          await moorage.mutate(EndConnectionDocument, { id });
          await answers.invalidateQueries({ queryKey: key });
        }}
      />
    </Setting>
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
