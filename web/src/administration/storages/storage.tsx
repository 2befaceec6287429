/** One storage: the steps that remain, every setting with what is wrong about it, and its health. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { connectAddress } from '../../links/berth';
import { answers, askAgain, moorage } from '../../service';
import { Failure, Loading, Missing } from '../../shell/failure';
import { Icon } from '../../shell/icon';
import { tell } from '../../shell/messages';
import { say } from '../../words';
import { useQuestion } from '../confirm';
import { Copied, Secret } from '../copied';
import { Field, Form, textsOf } from '../form';
import { Frame } from '../frame';
import {
  AdministeredStorageDocument,
  DeleteStorageDocument,
  RotateApplicationSecretDocument,
  SetClientCredentialsDocument,
  StorageConnectionDocument,
  UpdateStorageDocument,
  type StorageSettingsFragment,
  type UpdateStorageInput,
} from '../generated/documents';
import { AddressFields } from './address-fields';
import { Checks } from './checks';
import { troublesOf, useHealth, type RepairedBy } from './health';
import { StorageProjects } from './storage-projects';
import { Step } from './step';

const keyOf = (id: string) => ['administration', 'storage', id];
const settingsOf = (id: string) => [...keyOf(id), 'settings'];

type Storage = StorageSettingsFragment;
interface Part {
  storage: Storage;
  troubles: (field: RepairedBy) => string[];
  /** Asks for everything about the storage again. */
  refresh: () => Promise<void>;
  /** When the storage was last changed, as the service says now. */
  ask: () => Promise<string | undefined>;
}

const useSettings = (id: string) =>
  useQuery({
    queryKey: settingsOf(id),
    queryFn: async ({ signal }) =>
      (await moorage.query(AdministeredStorageDocument, { id }, { signal })).storage,
  });
const useConnection = (id: string) =>
  useQuery({
    queryKey: [...keyOf(id), 'connection'],
    queryFn: async ({ signal }) =>
      (await moorage.query(StorageConnectionDocument, { id }, { signal })).storage,
    // The person connects in another window, or in this one, and comes back.
    refetchOnWindowFocus: 'always',
  });

/** The first step that is not done. 6: all are. */
function stepOf(storage: Storage, isConnected: boolean): number {
  if (!storage.configured) return 3;
  if (!isConnected) return 4;
  return storage.projectStorages.totalCount > 0 ? 6 : 5;
}

export function StoragePage({ id }: { id: string }) {
  const query = useSettings(id);
  const connection = useConnection(id);
  const checks = useHealth(id).data?.checks ?? [];
  if (query.isPending) return <Loading />;
  if (query.isError)
    return <Failure whole error={query.error} again={() => void query.refetch()} />;
  const storage = query.data;
  if (!storage) return <Missing />;
  const isConnected = connection.data?.authorizationState === 'CONNECTED';
  const at = stepOf(storage, isConnected);
  const part: Part = {
    storage,
    troubles: troublesOf(checks),
    refresh: () => askAgain(keyOf(id)),
    ask: async () => (await query.refetch({ throwOnError: true })).data?.updatedAt,
  };
  return (
    <Frame
      title={at > 5 ? storage.name : say('storages.connecting', { name: storage.name })}
      above={{ to: '/administration/storages', label: 'admin.storages' }}
      facts={
        <>
          <span className="chip">{say(`storageType.${storage.type}`)}</span>
          {at <= 5 && <span>{say('step.of', { step: String(at), steps: '5' })}</span>}
        </>
      }
    >
      <div className="setup">
        <ol className="steps">
          <Step number={2} at={at} title={say('step.address')}>
            <Address {...part} />
          </Step>
          <Step number={3} at={at} title={say('step.exchange')}>
            <Exchange {...part} />
          </Step>
          <Step number={4} at={at} title={say('step.connect')}>
            <div className="panel admin-form">
              <Connection {...part} connection={connection} />
            </div>
          </Step>
          <Step number={5} at={at} title={say('step.projects')}>
            <div className="panel admin-form">
              <Folders {...part} />
              <StorageProjects storage={storage} refresh={part.refresh} />
            </div>
          </Step>
        </ol>
        <Checks id={id} />
      </div>
      <Delete storage={storage} />
    </Frame>
  );
}

/** Sends a change, and asks for the health anew. */
async function update({ storage, refresh }: Part, changes: Partial<UpdateStorageInput>) {
  const input = { id: storage.id, ...changes };
  const { updateStorage } = await moorage.mutate(UpdateStorageDocument, { input });
  tell(say('admin.saved'));
  void refresh();
  return updateStorage.storage.updatedAt;
}

function Address(part: Part) {
  const { storage, troubles, ask } = part;
  return (
    <div className="panel">
      <Form
        label={say('step.address')}
        submit={say('admin.save')}
        version={storage.updatedAt}
        ask={ask}
        onSubmit={(form) => update(part, textsOf(form))}
      >
        <Field name="name" label={say('storages.name')} defaultValue={storage.name} />
        <AddressFields type={storage.type} now={storage} troubles={troubles} />
        {storage.type === 'SELF_HOSTED_FILE_SERVER' && (
          <p className="small soft">{say('storages.moving')}</p>
        )}
      </Form>
    </div>
  );
}

function Exchange(part: Part) {
  const { storage, troubles, refresh } = part;
  const credentials = storage.oauthClientCredentials;
  if (storage.authenticationMethod === 'OAUTH2_SSO')
    return (
      <div className="panel">
        <Form
          label={say('step.exchange')}
          submit={say('admin.save')}
          version={storage.updatedAt}
          ask={part.ask}
          onSubmit={(form) => {
            const { storageAudience, tokenExchangeScope } = textsOf(form);
            return update(part, {
              storageAudience: storageAudience || null,
              tokenExchangeScope: tokenExchangeScope || null,
            });
          }}
        >
          <Field
            name="storageAudience"
            label={say('exchange.audience')}
            hint={say('exchange.audienceHint')}
            defaultValue={storage.storageAudience ?? ''}
            troubles={troubles('storageAudience')}
          />
          <Field
            name="tokenExchangeScope"
            label={say('exchange.scope')}
            defaultValue={storage.tokenExchangeScope ?? ''}
          />
        </Form>
      </div>
    );
  return (
    <div className="panel admin-form">
      {storage.oauthApplication && (
        <OurSide storage={storage} clientId={storage.oauthApplication.clientId} />
      )}
      <h3>{say('exchange.theirs')}</h3>
      <Form
        label={say('exchange.theirs')}
        submit={say('exchange.check')}
        onSubmit={async (form) => {
          const input = { storageId: storage.id, ...textsOf(form) };
          await moorage.mutate(SetClientCredentialsDocument, { input });
          tell(say('admin.saved'));
          void refresh();
          return undefined;
        }}
      >
        <p className="small soft">
          {say(`exchange.from.${storage.type}`, { name: storage.name })}{' '}
          {storage.type === 'CLOUD_DRIVE' && (
            <code>{`${location.origin}/oauth_clients/${credentials?.clientId ?? '…'}/callback`}</code>
          )}
        </p>
        <Field
          name="clientId"
          label={say('exchange.theirId')}
          defaultValue={credentials?.clientId ?? ''}
          troubles={troubles('clientId')}
        />
        <Field
          key={credentials?.updatedAt}
          name="clientSecret"
          spellCheck={false}
          label={say('exchange.theirSecret')}
          hint={credentials && say('exchange.secretKept')}
          troubles={troubles('clientSecret')}
        />
      </Form>
    </div>
  );
}

function OurSide({ storage, clientId }: { storage: Storage; clientId: string }) {
  const [secret, setSecret] = useState<string>();
  const { ask, asked } = useQuestion();
  const renew = (): void =>
    ask({
      title: say('exchange.newSecret'),
      text: say('exchange.newSecretSays', { name: storage.name }),
      act: say('exchange.newSecret'),
      run: async () => {
        const input = { storageId: storage.id };
        const answer = await moorage.mutate(RotateApplicationSecretDocument, { input });
        setSecret(answer.rotateOAuthApplicationSecret.clientSecret);
      },
    });
  return (
    <>
      <h3>{say('exchange.ours')}</h3>
      <p className="small soft">
        {say(`exchange.copyOurs.${storage.type}`, { name: storage.name })}
      </p>
      <Copied label={say('exchange.ourId')} text={clientId} />
      {secret === undefined ? (
        <div className="row">
          <p className="small soft">{say('exchange.secretGone')}</p>
          <button type="button" className="button" onClick={renew}>
            <Icon name="key" />
            {say('exchange.newSecret')}
          </button>
        </div>
      ) : (
        <Secret label={say('exchange.ourSecret')} text={secret} />
      )}
      {asked}
    </>
  );
}

function Connection({
  storage,
  troubles,
  connection,
}: Part & { connection: ReturnType<typeof useConnection> }) {
  const state = connection.data?.authorizationState;
  const address = connection.data?.authorizeUrl;
  if (!storage.configured) return <p className="small soft">{say('connect.later')}</p>;
  if (connection.isPending) return <Loading />;
  if (connection.isError)
    return <Failure error={connection.error} again={() => void connection.refetch()} />;
  return (
    <>
      {state === 'CONNECTED' ? (
        <p className="state good">
          <Icon name="check" />
          {say('connect.done')}
        </p>
      ) : (
        <p>{say(state === 'ERROR' ? 'connect.silent' : 'connect.says', { name: storage.name })}</p>
      )}
      {troubles('connection').map((text) => (
        <p key={text} className="state bad" lang="en" dir="auto">
          <Icon name="warn" />
          <span>{text}</span>
        </p>
      ))}
      {address && (
        <div className="row">
          <a className="button main" href={connectAddress(address)}>
            {say('links.connect')}
          </a>
        </div>
      )}
    </>
  );
}

function Folders(part: Part) {
  const { storage, troubles, ask } = part;
  const found = [...troubles('applicationPassword'), ...troubles('folders')];
  const [isOpen, setOpen] = useState(false);
  const { ask: question, asked } = useQuestion();
  const stop = (): void =>
    question({
      title: say('folders.stop'),
      text: say('folders.stopSays'),
      act: say('folders.stop'),
      run: async () => void (await update(part, { applicationPassword: null })),
    });
  return (
    <details
      className="folders"
      open={isOpen || found.length > 0}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {say('folders.title')}{' '}
        <span className="soft small">
          {say(
            storage.hasApplicationPassword || storage.automaticallyManagedFolders
              ? 'folders.on'
              : 'folders.off',
          )}
        </span>
      </summary>
      <Form
        label={say('folders.title')}
        submit={say('admin.save')}
        version={storage.updatedAt}
        ask={ask}
        beside={
          storage.hasApplicationPassword && (
            <button type="button" className="button" onClick={stop}>
              {say('folders.stop')}
            </button>
          )
        }
        onSubmit={(form) =>
          update(
            part,
            storage.type === 'CLOUD_DRIVE'
              ? { automaticallyManagedFolders: form.has('automaticallyManagedFolders') }
              : textsOf(form),
          )
        }
      >
        <p className="small soft">{say(`folders.about.${storage.type}`)}</p>
        {storage.type === 'CLOUD_DRIVE' ? (
          <>
            <label className="row">
              <input
                type="checkbox"
                name="automaticallyManagedFolders"
                defaultChecked={storage.automaticallyManagedFolders ?? false}
              />
              {say('folders.allow')}
            </label>
            {found.map((text) => (
              <p key={text} className="state bad" lang="en" dir="auto">
                <Icon name="warn" />
                <span>{text}</span>
              </p>
            ))}
          </>
        ) : (
          <Field
            name="applicationPassword"
            spellCheck={false}
            label={say('folders.password')}
            hint={say(
              storage.hasApplicationPassword ? 'folders.passwordKept' : 'folders.passwordHint',
            )}
            troubles={found}
          />
        )}
      </Form>
      {asked}
    </details>
  );
}

function Delete({ storage }: { storage: Storage }) {
  const navigate = useNavigate();
  const { ask, asked } = useQuestion();
  const remove = (): void =>
    ask({
      title: say('storages.deleteTitle', { name: storage.name }),
      text: say('storages.deleteSays', {
        projects: say('storages.projects', { count: storage.projectStorages.totalCount }),
        people: say('storages.people', { count: storage.connections.totalCount }),
      }),
      act: say('storages.delete'),
      run: async () => {
        await moorage.mutate(DeleteStorageDocument, { input: { id: storage.id } });
        tell(say('storages.deleted', { name: storage.name }));
        await navigate({ to: '/administration/storages' });
        answers.removeQueries({ queryKey: keyOf(String(storage.databaseId)) });
        await askAgain(['administration', 'storages']);
      },
    });
  return (
    <div className="row">
      <button type="button" className="button danger" onClick={remove}>
        <Icon name="bin" />
        {say('storages.delete')}
      </button>
      {asked}
    </div>
  );
}
