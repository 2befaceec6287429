/** Keys for programs of the person. The value of a new one is shown once. */
import { useQuery } from '@tanstack/react-query';
import { MoorageError } from 'moorage-client';
import { useId, useRef, useState } from 'react';
import {
  ApiKeysDocument,
  CreateApiKeyDocument,
  EndApiKeyDocument,
  type ApiKeyAccess,
  type ApiKeyRowFragment,
} from '../generated/documents';
import { answers, moorage } from '../service';
import { Failure, Loading, reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { speak, tell } from '../shell/messages';
import { Time } from '../shell/time';
import { say } from '../words';
import { End, Panel, Setting } from './panel';

const queryKey = ['account', 'keys'] as const;
const accesses: readonly ApiKeyAccess[] = ['READ', 'FILES', 'FULL'];
/** Days until a new key ends. */
const spans = [30, 90, 365] as const;
const DAY = 24 * 60 * 60 * 1000;

interface Made {
  name: string;
  value: string;
}

export function ApiKeys() {
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => moorage.query(ApiKeysDocument, {}, { signal }),
  });
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<Made>();
  const opener = useRef<HTMLButtonElement>(null);
  const keys = query.data?.viewer.apiKeys ?? [];
  const again = () => answers.invalidateQueries({ queryKey });
  function close(): void {
    setMaking(false);
    opener.current?.focus();
  }
  return (
    <Panel
      id="keys"
      title={say('account.keys')}
      action={
        <button
          ref={opener}
          type="button"
          className="button main"
          aria-expanded={isMaking}
          onClick={() => setMaking(!isMaking)}
        >
          <Icon name="plus" />
          {say('account.newKey')}
        </button>
      }
    >
      <p className="small soft">{say('account.keysWhy')}</p>
      {isMaking && (
        <NewKey
          onCancel={close}
          onMade={(key) => {
            setMade(key);
            close();
            void again();
          }}
        />
      )}
      {made && <Once made={made} onClose={() => setMade(undefined)} />}
      {query.isPending ? (
        <Loading />
      ) : query.isError ? (
        <Failure error={query.error} again={() => void query.refetch()} />
      ) : keys.length === 0 ? (
        <p className="soft">{say('account.noKeys')}</p>
      ) : (
        <ul className="settings">
          {keys.map((key) => (
            <Setting key={key.id} name={key.name} facts={<Facts of={key} />}>
              <End
                name={say('account.endKeyOf', { name: key.name })}
                label={say('account.end')}
                title={say('account.endKeyOf', { name: key.name })}
                why={say('account.endKeyWhy')}
                done={say('account.keyEnded', { name: key.name })}
                run={async () => {
                  await moorage.mutate(EndApiKeyDocument, { id: key.id });
                  await again();
                }}
              />
            </Setting>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Facts({ of: { access, lastUsedAt, expiresAt } }: { of: ApiKeyRowFragment }) {
  return (
    <>
      {say(`access.${access}`)}
      {', '}
      {lastUsedAt ? (
        <>
          {say('account.lastUsed')} <Time of={lastUsedAt} />
        </>
      ) : (
        say('account.neverUsed')
      )}
      {', '}
      {expiresAt ? say('account.endsOn', { date: dateOf(expiresAt) }) : say('account.noEnd')}
    </>
  );
}

const dateOf = (time: string): string =>
  new Date(time).toLocaleDateString(document.documentElement.lang, { dateStyle: 'medium' });

/** The value of a new key. It is kept nowhere else than here, until the box is closed. */
function Once({ made: { name, value }, onClose }: { made: Made; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const field = useId();
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      speak(say('account.copied'));
    } catch (error) {
      tell(reasonOf(error));
    }
  }
  return (
    <div className="note once" role="status">
      <div>
        <label htmlFor={field}>
          <b>{say('account.keyMade', { name })}</b> {say('account.keyOnce')}
        </label>
        <div className="row">
          <input
            id={field}
            className="inline-field"
            readOnly
            value={value}
            autoComplete="off"
            spellCheck={false}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <button type="button" className="button main" autoFocus onClick={() => void copy()}>
            <Icon name={isCopied ? 'check' : 'copy'} />
            {say(isCopied ? 'account.copied' : 'account.copy')}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {say('account.keyTaken')}
          </button>
        </div>
        <p className="small soft">{say('account.keyLost')}</p>
      </div>
    </div>
  );
}

function NewKey({ onCancel, onMade }: { onCancel: () => void; onMade: (made: Made) => void }) {
  const [wrong, setWrong] = useState<{ field: string | undefined; text: string }>();
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problem = useId();
  async function make(entered: FormData): Promise<void> {
    const name = String(entered.get('name') ?? '');
    const days = String(entered.get('days') ?? '');
    setSending(true);
    setWrong(undefined);
    try {
      const { createApiKey } = await moorage.mutate(CreateApiKeyDocument, {
        input: {
          name,
          access: String(entered.get('access')) as ApiKeyAccess,
          // Without a choice, the service has its own rule.
          ...(days === 'none' && { expiresAt: null }),
          ...(Number(days) > 0 && {
            expiresAt: new Date(Date.now() + Number(days) * DAY).toISOString(),
          }),
        },
      });
      onMade({ name, value: createApiKey.key });
    } catch (error) {
      const field = error instanceof MoorageError ? error.attribute : undefined;
      setWrong({ field, text: reasonOf(error) });
      if (field === 'name' || field === 'expiresAt')
        form.current
          ?.querySelector<HTMLElement>(field === 'name' ? '[name=name]' : '[name=days]')
          ?.focus();
    } finally {
      setSending(false);
    }
  }
  const about = (field: string) =>
    wrong?.field === field ? { 'aria-invalid': true, 'aria-describedby': problem } : {};
  return (
    <form
      ref={form}
      className="new-key"
      aria-label={say('account.newKey')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending) void make(new FormData(event.currentTarget));
      }}
    >
      <label className="field">
        {say('account.keyName')}
        <input name="name" required maxLength={255} autoFocus {...about('name')} />
        <span className="small soft">{say('account.keyNameHint')}</span>
      </label>
      <fieldset>
        <legend>{say('account.keyAccess')}</legend>
        {accesses.map((access) => (
          <label key={access} className="tick">
            <input type="radio" name="access" value={access} defaultChecked={access === 'READ'} />
            <span>{say(`access.${access}`)}</span>
          </label>
        ))}
      </fieldset>
      <label className="field">
        {say('account.keyEnd')}
        <select name="days" defaultValue="" {...about('expiresAt')}>
          <option value="">{say('account.usualEnd')}</option>
          {spans.map((days) => (
            <option key={days} value={days}>
              {say('account.inDays', { count: days })}
            </option>
          ))}
          <option value="none">{say('account.noEnd')}</option>
        </select>
      </label>
      {wrong && (
        <p id={problem} className="state bad" role="alert">
          {wrong.text}
        </p>
      )}
      <div className="row">
        <button className="button main" aria-disabled={sending}>
          {say(sending ? 'account.sending' : 'account.makeKey')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {say('app.cancel')}
        </button>
      </div>
    </form>
  );
}
