/** All webhooks, and which of them reach nobody. */
import { Link } from '@tanstack/react-router';
import { PAGE, Paged, usePaged } from '../../find/paged';
import { moorage } from '../../service';
import { Blank } from '../../shell/failure';
import { Icon } from '../../shell/icon';
import { Time } from '../../shell/time';
import { say } from '../../words';
import { listed } from '../../words/formats';
import { Frame } from '../frame';
import { WebhooksDocument, type WebhookRowFragment } from '../generated/documents';
import { eventWords } from './events';

export function Webhooks() {
  const list = usePaged(
    ['administration', 'webhooks'],
    async (after, signal) =>
      (await moorage.query(WebhooksDocument, { first: PAGE, after }, { signal })).webhooks,
  );
  const add = (
    <Link className="button main" to="/administration/webhooks/new">
      <Icon name="plus" />
      {say('webhooks.add')}
    </Link>
  );
  return (
    <Frame title={say('webhooks.title')} count={list.total} actions={add}>
      <Paged
        list={list}
        empty={
          <Blank icon="send" title={say('webhooks.none')}>
            <p>{say('webhooks.noneYet')}</p>
            {add}
          </Blank>
        }
      >
        {(rows) => (
          <table className="file-table admin-table" aria-label={say('webhooks.title')}>
            <thead>
              <tr>
                <th scope="col">{say('webhooks.address')}</th>
                <th scope="col">{say('webhooks.events')}</th>
                <th scope="col">{say('people.state')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((webhook) => (
                <tr key={webhook.id}>
                  <th scope="row" className="named">
                    <div>
                      <Link
                        to="/administration/webhooks/$id"
                        params={{ id: String(webhook.databaseId) }}
                        dir="ltr"
                        className="address"
                      >
                        {webhook.url}
                      </Link>
                    </div>
                  </th>
                  <td className="where">
                    {listed(webhook.events.map((event) => say(eventWords[event])))}
                  </td>
                  <td>
                    <WebhookState webhook={webhook} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
    </Frame>
  );
}

/** A webhook is dead when its last event was given up, and none has arrived since. */
export function WebhookState({ webhook }: { webhook: WebhookRowFragment }) {
  const [dead] = webhook.dead.nodes;
  const [delivered] = webhook.delivered.nodes;
  const isDead = dead && (!delivered || delivered.createdAt < dead.createdAt);
  if (isDead)
    return (
      <span className="dead">
        <span className="state bad">
          <Icon name="stop" />
          {say('webhooks.dead')}
        </span>
        <span className="small soft">
          {say(delivered ? 'webhooks.lastArrived' : 'webhooks.noneSince')}{' '}
          <Time of={(delivered ?? webhook.firstDead.nodes[0] ?? dead).createdAt} />
          {'. '}
          {say('webhooks.lastAnswer')}{' '}
          <bdi>{[dead.lastStatus, dead.lastError].filter(Boolean).join(' ')}</bdi>
        </span>
      </span>
    );
  if (!webhook.enabled)
    return (
      <span className="state">
        <Icon name="pause" />
        {say('webhooks.off')}
      </span>
    );
  return delivered ? (
    <span className="state good">
      <Icon name="check" />
      {say('webhooks.arrives')} <Time of={delivered.createdAt} />
    </span>
  ) : (
    <span className="state">
      <Icon name="clock" />
      {say('webhooks.nothingYet')}
    </span>
  );
}
