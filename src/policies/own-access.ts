/**
 * Sessions, and what applications may do: a person's own, everybody's for administrators. Tokens of
 * applications and limited API keys see none.
 */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Database } from '../database/index.js';
import { Authorization } from '../models/authorization.js';
import { OAuthArtifact } from '../models/oauth-artifact.js';
import type { Record } from '../models/record.js';
import { Session } from '../models/session.js';
import type { User } from '../models/user.js';
import { actsForAll, administers } from './administers.js';

interface Reader {
  user: User;
  db: Database;
  clock: () => Date;
}

/** Sessions that have not ended. */
export const visibleSessions = ({ user, db, clock }: Reader): QueryBuilder<Session> =>
  ofOwner(Session.query(db.read), user).where('sessions.expires_at', '>', clock().toISOString());

/** One for each application that acts for a person. */
export const visibleAuthorizations = ({ user, db, clock }: Reader): QueryBuilder<Authorization> =>
  ofOwner(authorizations(db.read, clock().toISOString()), user);

function ofOwner<M extends Record>(rows: QueryBuilder<M>, user: User): QueryBuilder<M> {
  if (administers(user)) return rows;
  const { tableName } = rows.modelClass();
  return rows.where(`${tableName}.user_id`, actsForAll(user) && !user.anonymous ? user.id : 0);
}

/** A grant of an application that was deleted is no longer there. */
function authorizations(db: Knex, now: string): QueryBuilder<Authorization> {
  const valid = (grant: string) =>
    `${grant}.kind = 'Grant' and (${grant}.expires_at is null or ${grant}.expires_at > ?)`;
  const same = (other: string) =>
    `${other}.user_id = oauth_artifacts.user_id and ${other}.client_id = oauth_artifacts.client_id`;
  const rows = OAuthArtifact.query(db)
    .select(
      'oauth_artifacts.*',
      'oauth_applications.name as application_name',
      OAuthArtifact.raw(
        '(select max(token.created_at) from oauth_artifacts as token' +
          ` where token.kind in ('AccessToken', 'RefreshToken') and ${same('token')}) as last_used_at`,
      ),
    )
    .join('oauth_applications', 'oauth_applications.client_id', 'oauth_artifacts.client_id')
    .whereRaw(valid('oauth_artifacts'), [now])
    .whereRaw(
      'not exists (select 1 from oauth_artifacts as earlier' +
        ` where ${valid('earlier')} and ${same('earlier')} and earlier.id < oauth_artifacts.id)`,
      [now],
    );
  return Authorization.query(db).from(rows.as('oauth_artifacts'));
}

/** By ids. Undefined for a missing and for an invisible row, so both look the same. */
const findIn = <M extends Record>(visible: (reader: Reader) => QueryBuilder<M>) => {
  const many = async (reader: Reader, ids: readonly number[]): Promise<M[]> => {
    const rows = visible(reader);
    return rows.whereIn(`${rows.modelClass().tableName}.id`, [...ids]);
  };
  const one = async (reader: Reader, id: number | undefined): Promise<M | undefined> =>
    id === undefined ? undefined : (await many(reader, [id]))[0];
  return Object.assign(one, { many });
};

export const findSession = findIn(visibleSessions);
export const findAuthorization = findIn(visibleAuthorizations);
