/** Who did what, when, and from where. */
import { useState } from 'react';
import { PAGE, Paged, usePaged } from '../find/paged';
import { moorage } from '../service';
import { Blank, reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { numeral, say, type WordKey } from '../words';
import { exactly } from '../words/formats';
import { Finder } from './finder';
import { Choice, Field, Form, textsOf } from './form';
import { Frame } from './frame';
import {
  AuditDocument,
  FindPeopleDocument,
  type AuditEventFilter,
  type AuditKind,
  type AuditQuery,
} from './generated/documents';

const kinds = {
  API_KEY_CREATED: 'audit.API_KEY_CREATED',
  API_KEY_DELETED: 'audit.API_KEY_DELETED',
  API_KEY_UPDATED: 'audit.API_KEY_UPDATED',
  ATTACHMENT_RELEASED: 'audit.ATTACHMENT_RELEASED',
  AUTHORIZATION_ENDED: 'audit.AUTHORIZATION_ENDED',
  CONNECTION_ENDED: 'audit.CONNECTION_ENDED',
  DIRECTORY_IMPORTED: 'audit.DIRECTORY_IMPORTED',
  MEMBERSHIP_REMOVED: 'audit.MEMBERSHIP_REMOVED',
  MEMBERSHIP_SET: 'audit.MEMBERSHIP_SET',
  OAUTH_APPLICATION_CREATED: 'audit.OAUTH_APPLICATION_CREATED',
  OAUTH_APPLICATION_DELETED: 'audit.OAUTH_APPLICATION_DELETED',
  OAUTH_APPLICATION_SECRET_ROTATED: 'audit.OAUTH_APPLICATION_SECRET_ROTATED',
  PASSWORD_CHANGED: 'audit.PASSWORD_CHANGED',
  PASSWORD_CHANGE_REFUSED: 'audit.PASSWORD_CHANGE_REFUSED',
  PROJECT_CREATED: 'audit.PROJECT_CREATED',
  PROJECT_STORAGE_CREATED: 'audit.PROJECT_STORAGE_CREATED',
  PROJECT_STORAGE_DELETED: 'audit.PROJECT_STORAGE_DELETED',
  PROJECT_STORAGE_UPDATED: 'audit.PROJECT_STORAGE_UPDATED',
  PROJECT_UPDATED: 'audit.PROJECT_UPDATED',
  QUARANTINED_ATTACHMENT_DELETED: 'audit.QUARANTINED_ATTACHMENT_DELETED',
  ROLE_CREATED: 'audit.ROLE_CREATED',
  ROLE_DELETED: 'audit.ROLE_DELETED',
  ROLE_UPDATED: 'audit.ROLE_UPDATED',
  SESSIONS_ENDED: 'audit.SESSIONS_ENDED',
  SESSION_ENDED: 'audit.SESSION_ENDED',
  SIGNED_IN: 'audit.SIGNED_IN',
  SIGN_IN_REFUSED: 'audit.SIGN_IN_REFUSED',
  STORAGE_CREATED: 'audit.STORAGE_CREATED',
  STORAGE_CREDENTIALS_SET: 'audit.STORAGE_CREDENTIALS_SET',
  STORAGE_DELETED: 'audit.STORAGE_DELETED',
  STORAGE_PASSWORD_SET: 'audit.STORAGE_PASSWORD_SET',
  STORAGE_UPDATED: 'audit.STORAGE_UPDATED',
  USER_CREATED: 'audit.USER_CREATED',
  USER_ERASED: 'audit.USER_ERASED',
  USER_IDENTITY_LINKED: 'audit.USER_IDENTITY_LINKED',
  USER_LOCKED: 'audit.USER_LOCKED',
  USER_PASSWORD_LINK_CREATED: 'audit.USER_PASSWORD_LINK_CREATED',
  USER_PASSWORD_SET: 'audit.USER_PASSWORD_SET',
  USER_UNLOCKED: 'audit.USER_UNLOCKED',
  USER_UPDATED: 'audit.USER_UPDATED',
  WEBHOOK_CREATED: 'audit.WEBHOOK_CREATED',
  WEBHOOK_DELETED: 'audit.WEBHOOK_DELETED',
  WEBHOOK_EVENT_REDELIVERED: 'audit.WEBHOOK_EVENT_REDELIVERED',
  WEBHOOK_SECRET_ROTATED: 'audit.WEBHOOK_SECRET_ROTATED',
  WEBHOOK_UPDATED: 'audit.WEBHOOK_UPDATED',
} satisfies { readonly [kind in AuditKind]: WordKey };
/** A later service can have more kinds. */
const nameOfKind = (kind: AuditKind): string => (kind in kinds ? say(kinds[kind]) : kind);

/** The service wants a time, the field gives a day. */
const startOf = (day: string | undefined, later = 0): string | undefined => {
  if (!day) return undefined;
  const time = new Date(`${day}T00:00:00`);
  time.setDate(time.getDate() + later);
  return time.toISOString();
};

export function Audit() {
  const [filter, setFilter] = useState<AuditEventFilter>({});
  const list = usePaged(
    ['administration', 'audit', filter],
    async (after, signal) =>
      (await moorage.query(AuditDocument, { filter, first: PAGE, after }, { signal })).auditEvents,
  );
  return (
    <Frame
      title={say('audit.title')}
      count={list.total}
      facts={<span>{say('audit.says')}</span>}
      actions={
        <a className="button" href="/administration/audit.ndjson" download>
          <Icon name="down" />
          {say('audit.export')}
        </a>
      }
    >
      <div className="panel">
        <Form
          label={say('audit.filter')}
          submit={say('audit.show')}
          onSubmit={async (form) => {
            const { kind, actorId, after, before } = textsOf(form);
            setFilter({
              ...(kind && { kinds: [kind as AuditKind] }),
              ...(actorId && { actorId }),
              ...(after && { after: startOf(after) }),
              ...(before && { before: startOf(before, 1) }),
            });
            return undefined;
          }}
        >
          <div className="form-2">
            <Choice
              name="kind"
              label={say('audit.what')}
              options={[
                { value: '', label: say('audit.anything') },
                ...Object.entries(kinds)
                  .map(([value, key]) => ({ value, label: say(key) }))
                  .sort((one, other) => one.label.localeCompare(other.label)),
              ]}
            />
            <Field name="after" type="date" label={say('audit.from')} />
            <Field name="before" type="date" label={say('audit.to')} />
          </div>
          <Finder
            name="actorId"
            label={say('audit.who')}
            any={say('filters.anyPerson')}
            search={async (search) =>
              (await moorage.query(FindPeopleDocument, { search: search || undefined })).users.nodes
            }
          />
        </Form>
      </div>
      {list.query.isError && list.rows.length > 0 && (
        <p className="note bad" role="alert">
          {reasonOf(list.query.error)}
        </p>
      )}
      <Paged list={list} empty={<Blank icon="list" title={say('audit.none')} />}>
        {(rows) => (
          <table className="file-table admin-table" aria-label={say('audit.title')}>
            <thead>
              <tr>
                <th scope="col">{say('audit.time')}</th>
                <th scope="col">{say('audit.who')}</th>
                <th scope="col">{say('audit.what')}</th>
                <th scope="col">{say('audit.subject')}</th>
                <th scope="col">{say('audit.address')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((event) => (
                <tr key={event.id}>
                  <td className="added">
                    <time dateTime={event.createdAt}>{exactly(event.createdAt)}</time>
                  </td>
                  <td>{event.actor ? <bdi>{event.actor.name}</bdi> : '–'}</td>
                  <td>
                    {nameOfKind(event.kind)}
                    <Change event={event} />
                  </td>
                  <td className="where">
                    <bdi>{event.subjectName ?? '–'}</bdi>
                  </td>
                  <td>
                    <bdi>{event.address ?? '–'}</bdi>
                    {event.credential && (
                      <p className="small soft">
                        {say(`credential.${event.credential as 'SESSION'}`)}
                      </p>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
      <p className="unseen" role="status">
        {say('audit.shown', { shown: numeral(list.rows.length), total: list.total })}
      </p>
    </Frame>
  );
}

type Event = AuditQuery['auditEvents']['nodes'][number];

/** The members before and after, as the service keeps them. */
function Change({ event: { before, after } }: { event: Event }) {
  if (before === null && after === null) return null;
  return (
    <details className="small">
      <summary>{say('audit.change')}</summary>
      <dl className="json" dir="ltr">
        {before !== null && (
          <>
            <dt>{say('audit.before')}</dt>
            <dd>{before}</dd>
          </>
        )}
        {after !== null && (
          <>
            <dt>{say('audit.after')}</dt>
            <dd>{after}</dd>
          </>
        )}
      </dl>
    </details>
  );
}
