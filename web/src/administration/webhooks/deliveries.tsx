/** What was sent to a webhook, what it answered, and the way to send it again. */
import { useState } from 'react';
import { PAGE, Paged, usePaged } from '../../find/paged';
import { moorage } from '../../service';
import { reasonOf } from '../../shell/failure';
import { Icon } from '../../shell/icon';
import { tell } from '../../shell/messages';
import { Time } from '../../shell/time';
import { say } from '../../words';
import {
  DeliveriesDocument,
  RedeliverDocument,
  type DeliveriesQuery,
  type DeliveryState,
} from '../generated/documents';
import { eventWords } from './events';

type Delivery = NonNullable<DeliveriesQuery['webhook']>['deliveries']['nodes'][number];
const states: readonly DeliveryState[] = ['PENDING', 'DELIVERED', 'DEAD'];

export function Deliveries({ id, refresh }: { id: string; refresh: () => Promise<void> }) {
  const [state, setState] = useState<DeliveryState>();
  const list = usePaged(
    ['administration', 'webhook', id, 'deliveries', state],
    async (after, signal) =>
      (
        await moorage.query(
          DeliveriesDocument,
          { id, filter: state && { state }, first: PAGE, after },
          { signal },
        )
      ).webhook?.deliveries,
  );
  async function again({ id }: Delivery): Promise<void> {
    try {
      await moorage.mutate(RedeliverDocument, { input: { id } });
      tell(say('deliveries.sentAgain'));
    } catch (error) {
      tell(reasonOf(error));
    }
    await refresh();
  }
  return (
    <section aria-labelledby="deliveries">
      <div className="head">
        <h2 id="deliveries">
          {say('deliveries.title')} <span className="count">{list.total}</span>
        </h2>
        <select
          className="inline-field"
          aria-label={say('people.state')}
          value={state ?? ''}
          onChange={({ target }) => setState(states.find((one) => one === target.value))}
        >
          <option value="">{say('deliveries.all')}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {say(`deliveries.${one as 'DEAD'}`)}
            </option>
          ))}
        </select>
      </div>
      <Paged list={list} empty={<p className="soft">{say('deliveries.none')}</p>}>
        {(rows) => (
          <table className="file-table admin-table" aria-label={say('deliveries.title')}>
            <thead>
              <tr>
                <th scope="col">{say('deliveries.event')}</th>
                <th scope="col">{say('people.state')}</th>
                <th scope="col">{say('deliveries.answer')}</th>
                <th scope="col">{say('table.added')}</th>
                <th scope="col">
                  <span className="unseen">{say('files.menu')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((delivery) => (
                <tr key={delivery.id}>
                  <th scope="row">
                    <details>
                      <summary>{say(eventWords[delivery.event])}</summary>
                      <pre className="json" tabIndex={0} dir="ltr">
                        {delivery.body}
                      </pre>
                    </details>
                  </th>
                  <td>
                    <State delivery={delivery} />
                  </td>
                  <td className="where" dir="ltr">
                    {[delivery.lastStatus, delivery.lastError].filter(Boolean).join(' ') || '–'}
                  </td>
                  <td className="added">
                    <Time of={delivery.createdAt} />
                  </td>
                  <td className="end">
                    {delivery.state === 'DEAD' && (
                      <button
                        type="button"
                        className="button quiet"
                        onClick={() => void again(delivery)}
                      >
                        <Icon name="again" />
                        {say('deliveries.again')}
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
    </section>
  );
}

function State({ delivery: { state, attempts, nextAttemptAt } }: { delivery: Delivery }) {
  const [icon, className] = {
    DELIVERED: ['check', 'good'] as const,
    DEAD: ['stop', 'bad'] as const,
    PENDING: ['clock', ''] as const,
  }[state];
  return (
    <>
      <span className={`state ${className}`}>
        <Icon name={icon} />
        {say(`deliveries.${state as 'DEAD'}`)}
      </span>{' '}
      <span className="small soft">
        {say('deliveries.attempts', { count: attempts })}
        {nextAttemptAt && state === 'PENDING' && (
          <>
            {', '}
            {say('deliveries.next')} <Time of={nextAttemptAt} />
          </>
        )}
      </span>
    </>
  );
}
