/** Writes who changed what, in the transaction of the change. */
import type { Knex } from 'knex';
import {
  AuditEvent,
  AuditCredential,
  type AuditedChange,
  type AuditedValues,
  type AuditKind,
} from '../models/audit-event.js';
import { ownMemberNames } from '../storages/types.js';
import type { User } from '../models/user.js';

/** Who acts, with what, and from where. */
export interface Actor {
  userId: number | null;
  credential: AuditCredential | null;
  credentialId: number | null;
  /** IP address of the client. */
  address: string | null;
}

type Caller = Pick<
  User,
  'id' | 'anonymous' | 'sessionId' | 'apiKeyId' | 'byApplication' | 'tokenId'
>;

/** The actor of a request. */
export const actorOf = (
  { id, anonymous, sessionId, apiKeyId, byApplication, tokenId }: Caller,
  address: string | undefined,
): Actor => ({
  userId: anonymous ? null : id,
  ...(byApplication
    ? { credential: AuditCredential.ACCESS_TOKEN, credentialId: tokenId ?? null }
    : apiKeyId !== undefined
      ? { credential: AuditCredential.API_KEY, credentialId: apiKeyId }
      : sessionId !== undefined
        ? { credential: AuditCredential.SESSION, credentialId: sessionId }
        : { credential: null, credentialId: null }),
  address: address ?? null,
});

/** Somebody who is not known. */
export const NOBODY: Actor = { userId: null, credential: null, credentialId: null, address: null };

/** Somebody with a one-time link. */
export const byLink = (address: string | undefined): Actor => ({
  ...NOBODY,
  credential: AuditCredential.ONE_TIME_LINK,
  address: address ?? null,
});

/** Somebody at the machine of the service. */
export const COMMAND: Actor = { ...NOBODY, credential: AuditCredential.COMMAND };

/**
 * The members of each type of subject that the audit shows. No others enter it, so no secret does.
 */
interface Members {
  plain?: readonly string[];
  /** SQLite has numbers for them. */
  flags?: readonly string[];
  /** They identify a person, and go when the person is erased. */
  personal?: readonly string[];
}

const members = {
  ApiKey: { plain: ['name', 'userId'] },
  Attachment: {},
  Authorization: { plain: ['userId', 'clientId'] },
  OAuthApplication: { plain: ['name', 'clientId', 'redirectUris'], flags: ['confidential'] },
  Session: { plain: ['userId', 'browser', 'system'] },
  StorageAccount: { plain: ['userId', 'storageId'] },
  Storage: {
    plain: [
      'name',
      'type',
      'origin',
      'authenticationMethod',
      'storageAudience',
      'tokenExchangeScope',
      ...ownMemberNames,
      'clientId',
      'projectId',
      'projectFolderMode',
      'projectFolderId',
    ],
  },
  Project: { plain: ['identifier', 'name', 'storageQuota'], flags: ['public', 'active'] },
  Role: { plain: ['name', 'permissions'] },
  User: {
    plain: ['status', 'projectId', 'roles'],
    flags: ['admin'],
    personal: ['login', 'firstName', 'lastName', 'email'],
  },
  Webhook: { plain: ['url', 'events'], flags: ['enabled'] },
} as const satisfies { [type: string]: Members };
type SubjectType = keyof typeof members;

export interface Audited {
  kind: AuditKind;
  subject?: { type: SubjectType; id: number; name?: string | null };
  /** The subject before the change, with any other members. */
  before?: object | undefined;
  after?: object | undefined;
}

/** Records nothing for an update that changes no member. */
export async function recordAudit(
  trx: Knex,
  now: string,
  actor: Actor,
  { kind, subject, before, after }: Audited,
): Promise<void> {
  const { plain = [], flags = [], personal = [] }: Members = subject ? members[subject.type] : {};
  const [old, changed] = [before, after].map((values) => withFlags({ ...values }, flags));
  const changes = changeOf([...plain, ...flags], old, changed);
  const personalChanges = changeOf(personal, old, changed);
  if (kind.endsWith('_UPDATED') && !changes && !personalChanges) return;
  const { userId, credential, credentialId, address } = actor;
  await AuditEvent.query(trx).insert({
    kind,
    actorId: userId,
    credential,
    credentialId,
    address,
    subjectType: subject?.type ?? null,
    subjectId: subject?.id ?? null,
    subjectName: subject?.name ?? null,
    changes: changes ?? {},
    personal: personalChanges ?? null,
    createdAt: now,
  });
}

const withFlags = (values: AuditedValues, flags: readonly string[]): AuditedValues => ({
  ...values,
  ...Object.fromEntries(
    flags.filter((name) => name in values).map((name) => [name, Boolean(values[name])]),
  ),
});

/** The members that differ. */
function changeOf(
  names: readonly string[],
  before: AuditedValues = {},
  after: AuditedValues = {},
): AuditedChange | undefined {
  const different = names.filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  if (different.length === 0) return undefined;
  const pick = (values: AuditedValues): AuditedValues | undefined => {
    const picked = different.flatMap((name) =>
      values[name] === undefined ? [] : [[name, values[name]] as const],
    );
    return picked.length > 0 ? Object.fromEntries(picked) : undefined;
  };
  const [old, changed] = [pick(before), pick(after)];
  return { ...(old && { before: old }), ...(changed && { after: changed }) };
}
