/** Users. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { folded } from '../contract/folded-text.js';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

/** The author of records that the service itself makes. */
export const SYSTEM_LOGIN = 'moorage-system';
/** Logins that an import rejects. */
export const RESERVED_LOGINS: readonly string[] = ['anonymous', SYSTEM_LOGIN];

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
  /** Id of the session of the browser that sends the request. Not a column. */
  declare sessionId?: number;
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
