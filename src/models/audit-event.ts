/** The audit: who changed what. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

const kinds = {
  SIGNED_IN: 'Somebody signed in with a browser.',
  SIGN_IN_REFUSED: 'A sign-in was refused. The subject is the person, if the login exists.',
  PASSWORD_CHANGED: 'Somebody changed their own password.',
  PASSWORD_CHANGE_REFUSED: 'A change of a password was refused: the present one was wrong.',
  USER_CREATED: 'A person was created.',
  USER_UPDATED: 'A person was changed.',
  USER_LOCKED: 'A person was locked.',
  USER_UNLOCKED: 'The lock of a person was taken back.',
  USER_ERASED: 'A person was erased.',
  USER_PASSWORD_SET: 'A person got another password.',
  USER_IDENTITY_LINKED: 'A person got an identity at the OpenID provider.',
  USER_PASSWORD_LINK_CREATED: 'A link was made with which a person sets a password.',
  DIRECTORY_IMPORTED: 'A directory file was imported. It can change people, roles and projects.',
  ROLE_CREATED: 'A role was created.',
  ROLE_UPDATED: 'A role was changed.',
  ROLE_DELETED: 'A role was deleted.',
  PROJECT_CREATED: 'A project was created.',
  PROJECT_UPDATED: 'A project was changed.',
  MEMBERSHIP_SET: 'A person got other roles in a project. The subject is the person.',
  MEMBERSHIP_REMOVED: 'A person was removed from a project. The subject is the person.',
  API_KEY_CREATED: 'An API key was created.',
  API_KEY_UPDATED: 'An API key was renamed.',
  API_KEY_DELETED: 'An API key was revoked.',
  SESSION_ENDED: 'A session was ended from another browser, or by an administrator.',
  SESSIONS_ENDED: 'All sessions of a person were ended. The subject is the person.',
  AUTHORIZATION_ENDED: 'An application may no longer act for a person.',
  CONNECTION_ENDED: 'The connection of a person with a storage was ended.',
  STORAGE_CREATED: 'A storage was created.',
  STORAGE_UPDATED: 'A storage was changed.',
  STORAGE_DELETED: 'A storage was deleted.',
  STORAGE_PASSWORD_SET: 'The application password of a storage was set or removed.',
  STORAGE_CREDENTIALS_SET: 'The client credentials for a storage were set.',
  PROJECT_STORAGE_CREATED: 'A storage was added to a project.',
  PROJECT_STORAGE_UPDATED: 'The folder of a project in a storage was changed.',
  PROJECT_STORAGE_DELETED: 'A storage was removed from a project.',
  OAUTH_APPLICATION_CREATED: 'An OAuth application was created.',
  OAUTH_APPLICATION_DELETED: 'An OAuth application was deleted.',
  OAUTH_APPLICATION_SECRET_ROTATED: 'The OAuth application of a storage got another secret.',
  ATTACHMENT_RELEASED: 'A file was released from quarantine.',
  QUARANTINED_ATTACHMENT_DELETED: 'A file in quarantine was deleted.',
  WEBHOOK_CREATED: 'A webhook was created.',
  WEBHOOK_UPDATED: 'A webhook was changed.',
  WEBHOOK_SECRET_ROTATED: 'A webhook got another secret.',
  WEBHOOK_EVENT_REDELIVERED: 'An event is delivered again. The subject is the webhook.',
  WEBHOOK_DELETED: 'A webhook was deleted.',
} as const;

/** In the database they have the same names as in the graph. */
export type AuditKind = keyof typeof kinds;
export const AuditKinds = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, kind])) as {
  readonly [kind in AuditKind]: kind;
};
registerEnumType(AuditKinds, {
  name: 'AuditKind',
  description: 'What happened.',
  valuesConfig: Object.fromEntries(
    Object.entries(kinds).map(([kind, description]) => [kind, { description }]),
  ),
});

export enum AuditCredential {
  SESSION = 'session',
  API_KEY = 'apiKey',
  ACCESS_TOKEN = 'accessToken',
  ONE_TIME_LINK = 'oneTimeLink',
  COMMAND = 'command',
}
registerEnumType(AuditCredential, {
  name: 'AuditCredential',
  description: 'With what somebody acted.',
  valuesConfig: {
    SESSION: { description: 'The session of a browser.' },
    API_KEY: { description: 'An API key.' },
    ACCESS_TOKEN: { description: 'The token of an application, or of the OpenID provider.' },
    ONE_TIME_LINK: { description: 'A link to set up the service, or to set a password.' },
    COMMAND: { description: 'The command `moorage`, where the service runs.' },
  },
});

/** Values by the names of their members. */
export interface AuditedValues {
  [member: string]: unknown;
}

export interface AuditedChange {
  before?: AuditedValues;
  after?: AuditedValues;
}

@ObjectType({
  implements: Node,
  description: 'One entry of the audit: who changed what. Only administrators read it.',
  simpleResolvers: true,
})
export class AuditEvent extends Record {
  static override tableName = 'audit_events';
  static override jsonAttributes = ['changes', 'personal'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id.' })
  declare id: number;

  @Field(() => AuditKinds, { description: 'What happened.' })
  declare kind: AuditKind;

  @Field(() => AuditCredential, {
    nullable: true,
    description: 'With what the actor acted. Null for refused sign-ins.',
  })
  declare credential: AuditCredential | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The integer id of the session, the API key or the token. Null without one.',
  })
  declare credentialId: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'IP address of the client. Null for commands, and after a person was erased.',
  })
  declare address: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Members before the change, as a JSON object without secrets. Null without any.',
  })
  get before(): string | null {
    return this.#textOf('before');
  }

  @Field(() => String, {
    nullable: true,
    description: 'Members after the change, as a JSON object without secrets. Null without any.',
  })
  get after(): string | null {
    return this.#textOf('after');
  }

  @Field(() => DateTime, { description: 'When it happened.' })
  declare createdAt: string;

  declare actorId: number | null;
  declare subjectType: string | null;
  declare subjectId: number | null;
  /** At the time of the change. Null for people: their name is that of now. */
  declare subjectName: string | null;
  declare changes: AuditedChange;
  /** Members that identify a person. Null without any, and after the person was erased. */
  declare personal: AuditedChange | null;

  /** Null without any. */
  members(when: keyof AuditedChange): AuditedValues | null {
    const members = { ...this.changes[when], ...this.personal?.[when] };
    return Object.keys(members).length > 0 ? members : null;
  }

  #textOf(when: keyof AuditedChange): string | null {
    const members = this.members(when);
    return members && JSON.stringify(members);
  }
}
