/** One webhook: its settings, its secret, and what was sent. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { askAgain, moorage } from '../../service';
import { Failure, Loading, Missing } from '../../shell/failure';
import { Icon } from '../../shell/icon';
import { tell } from '../../shell/messages';
import { say } from '../../words';
import { useQuestion } from '../confirm';
import { Secret } from '../copied';
import { CheckList, Field, Form, textsOf } from '../form';
import { Frame } from '../frame';
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  RotateWebhookSecretDocument,
  UpdateWebhookDocument,
  WebhookDocument,
  type WebhookEvent,
  type WebhookRowFragment,
} from '../generated/documents';
import { Deliveries } from './deliveries';
import { eventWords } from './events';
import { WebhookState } from './webhooks';

const above = { to: '/administration/webhooks', label: 'webhooks.title' } as const;

function Fields({ now }: { now?: WebhookRowFragment }) {
  return (
    <>
      <Field
        name="url"
        type="url"
        dir="ltr"
        label={say('webhooks.address')}
        hint={say('webhooks.addressHint')}
        defaultValue={now?.url ?? ''}
        autoFocus={!now}
      />
      <CheckList
        name="events"
        label={say('webhooks.events')}
        options={Object.entries(eventWords).map(([value, key]) => ({ value, label: say(key) }))}
        checked={now?.events ?? []}
      />
      <label className="row">
        <input type="checkbox" name="enabled" defaultChecked={now?.enabled ?? true} />
        {say('webhooks.enabled')}
      </label>
    </>
  );
}
const inputOf = (form: FormData) => ({
  url: textsOf(form)['url'] ?? '',
  events: form.getAll('events') as WebhookEvent[],
  enabled: form.has('enabled'),
});

export function NewWebhook() {
  const [made, setMade] = useState<{ id: number; secret: string }>();
  return (
    <Frame title={say('webhooks.new')} above={above}>
      <div className="panel narrow">
        {made ? (
          <div className="admin-form">
            <p role="status">{say('webhooks.made')}</p>
            <Secret label={say('webhooks.secret')} text={made.secret} />
            <div className="row">
              <Link
                className="button main"
                to="/administration/webhooks/$id"
                params={{ id: String(made.id) }}
              >
                {say('webhooks.copied')}
              </Link>
            </div>
          </div>
        ) : (
          <Form
            label={say('webhooks.new')}
            submit={say('new.create')}
            onSubmit={async (form) => {
              const input = inputOf(form);
              const { secret, webhook } = (await moorage.mutate(CreateWebhookDocument, { input }))
                .createWebhook;
              setMade({ id: webhook.databaseId, secret });
              void askAgain(['administration', 'webhooks']);
              return undefined;
            }}
          >
            <Fields />
          </Form>
        )}
      </div>
    </Frame>
  );
}

export function WebhookPage({ id }: { id: string }) {
  const navigate = useNavigate();
  const [secret, setSecret] = useState<string>();
  const { ask, asked } = useQuestion();
  const query = useQuery({
    queryKey: ['administration', 'webhook', id, 'settings'],
    queryFn: async ({ signal }) =>
      (await moorage.query(WebhookDocument, { id }, { signal })).webhook,
  });
  if (query.isPending) return <Loading />;
  if (query.isError)
    return <Failure whole error={query.error} again={() => void query.refetch()} />;
  const webhook = query.data;
  if (!webhook) return <Missing />;
  const input = { id: webhook.id };
  const refresh = async (): Promise<void> => {
    await askAgain(['administration', 'webhook', id]);
    await askAgain(['administration', 'webhooks']);
  };
  const renew = (): void =>
    ask({
      title: say('exchange.newSecret'),
      text: say('webhooks.newSecretSays'),
      act: say('exchange.newSecret'),
      run: async () => {
        const answer = await moorage.mutate(RotateWebhookSecretDocument, { input });
        setSecret(answer.rotateWebhookSecret.secret);
        await refresh();
      },
    });
  const remove = (): void =>
    ask({
      title: say('webhooks.deleteTitle'),
      text: say('webhooks.deleteSays'),
      act: say('files.delete'),
      run: async () => {
        await moorage.mutate(DeleteWebhookDocument, { input });
        tell(say('webhooks.deleted'));
        await navigate({ to: '/administration/webhooks' });
        await askAgain(['administration', 'webhooks']);
      },
    });
  return (
    <Frame
      title={new URL(webhook.url).host}
      above={above}
      actions={
        <>
          <button type="button" className="button" onClick={renew}>
            <Icon name="key" />
            {say('exchange.newSecret')}
          </button>
          <button type="button" className="button" onClick={remove}>
            <Icon name="bin" />
            {say('files.delete')}
          </button>
        </>
      }
    >
      <div>
        <WebhookState webhook={webhook} />
      </div>
      {secret === undefined ? (
        <p className="small soft">{say('webhooks.secretGone')}</p>
      ) : (
        <div className="panel narrow admin-form">
          <Secret label={say('webhooks.secret')} text={secret} />
        </div>
      )}
      <Deliveries id={id} refresh={refresh} />
      <section className="panel narrow">
        <h2>{say('webhooks.settings')}</h2>
        <Form
          label={say('webhooks.settings')}
          submit={say('admin.save')}
          version={webhook.updatedAt}
          ask={async () => (await query.refetch({ throwOnError: true })).data?.updatedAt}
          onSubmit={async (form) => {
            const changes = { ...input, ...inputOf(form) };
            const { updateWebhook } = await moorage.mutate(UpdateWebhookDocument, {
              input: changes,
            });
            tell(say('admin.saved'));
            void refresh();
            return updateWebhook.webhook.updatedAt;
          }}
        >
          <Fields now={webhook} />
        </Form>
      </section>
      {asked}
    </Frame>
  );
}
