/** Users. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { folded } from '../contract/folded-text.js';
import type { Language } from '../contract/languages.js';
import { DateTime } from './date-time.js';
import type { MailPreference } from './mail.js';
import { Node } from './node.js';
import { Record } from './record.js';

/** The author of records that the service itself makes. */
export const SYSTEM_LOGIN = 'moorage-system';
export const RESERVED_LOGINS: readonly string[] = ['anonymous', SYSTEM_LOGIN];
/** Starts the login of an erased person. The id follows. */
export const ERASED_LOGIN = 'deleted-user-';

/** Logins that nobody gets. */
export const isReservedLogin = (login: string): boolean =>
  RESERVED_LOGINS.includes(login) || login.startsWith(ERASED_LOGIN);

export enum UserStatus {
  ACTIVE = 'active',
  LOCKED = 'locked',
}
registerEnumType(UserStatus, {
  name: 'UserStatus',
  description: 'Whether a user can sign in.',
  valuesConfig: {
    ACTIVE: { description: 'The user can sign in.' },
    LOCKED: { description: 'An administrator or the directory has locked the account.' },
  },
});

@ObjectType({
  implements: Node,
  description: 'A person, or the anonymous user.',
  simpleResolvers: true,
})
export class User extends Record {
  static override tableName = 'users';
  static override booleans = ['admin', 'anonymous'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'Sign-in name.' })
  declare login: string;

  @Field(() => String, { description: 'First and last name.' })
  get name(): string {
    return `${this.firstName} ${this.lastName}`.trim();
  }

  @Field(() => String, { description: 'First name.' })
  declare firstName: string;

  @Field(() => String, { description: 'Last name.' })
  declare lastName: string;

  @Field(() => Boolean, { description: 'Whether the user is an administrator.' })
  declare admin: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'E-mail address. Only the user and administrators can read it; null for others.',
  })
  declare email: string | null;

  @Field(() => UserStatus, { description: 'Whether the user can sign in.' })
  declare status: `${UserStatus}`;

  @Field(() => DateTime, { description: 'When the user was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When the user last changed.' })
  declare updatedAt: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the person was erased. Null for others.',
  })
  declare erasedAt: string | null;

  /** True for one user only: all callers without credentials are this user. */
  declare anonymous: boolean;
  declare passwordHash: string | null;
  /** Key of the object with the picture. Null: there is none. */
  declare avatarKey: string | null;
  declare avatarType: string | null;
  /** In bytes. Null without a picture, and for one that an older version stored. */
  declare avatarSize: number | null;
  /** SHA-256 in hexadecimal, and null as `avatarSize`. */
  declare avatarDigest: string | null;
  /** Issuer and subject at the OpenID provider, joined by a space. */
  declare identity: string | null;
  /** Whether an OAuth client acts for the user, with a token that expires. Not a column. */
  declare byApplication?: boolean;
  /** What the API key of the request may do. Absent: there is none. Not a column. */
  declare keyAccess?: 'read' | 'files' | 'full';
  /** Id of the session of the browser that sends the request. Not a column. */
  declare sessionId?: number;
  /** Id of the API key of the request. Not a column. */
  declare apiKeyId?: number;
  /** Id of the access token of the request, unless the OpenID provider issued it. Not a column. */
  declare tokenId?: number;
  /** When notifications come by e-mail. */
  declare mailPreference: `${MailPreference}`;
  /** The language of the last sign-in. Null: not known yet. */
  declare language: Language | null;
  /** Name and login, folded. Searches read it. */
  declare searchText: string;

  static searchTextOf = ({ firstName, lastName, login }: Named): string =>
    folded(`${firstName} ${lastName}`.trim() + `\n${login}`);

  override $beforeInsert(): void {
    this.searchText = User.searchTextOf(this);
  }
}

interface Named {
  firstName: string;
  lastName: string;
  login: string;
}
