import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

/** The author of what the service itself records. */
export const SYSTEM_LOGIN = 'moorage-system';
/** Nobody can be imported under these. */
export const RESERVED_LOGINS: readonly string[] = ['anonymous', SYSTEM_LOGIN];

@ObjectType({
  implements: Node,
  description: 'A person, or the anonymous visitor.',
  simpleResolvers: true,
})
export class User extends Record {
  static override tableName = 'users';
  static override booleans = ['admin', 'anonymous'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'The name to sign in with.' })
  declare login: string;

  @Field(() => String, { description: 'First and last name.' })
  get name(): string {
    return `${this.firstName} ${this.lastName}`.trim();
  }

  @Field(() => String, { description: 'First name.' })
  declare firstName: string;

  @Field(() => String, { description: 'Last name.' })
  declare lastName: string;

  @Field(() => Boolean, { description: 'Whether the user administers the service.' })
  declare admin: boolean;

  @Field(() => String, { description: 'Address of a picture; empty when there is none.' })
  get avatar(): string {
    return '';
  }

  @Field(() => String, {
    nullable: true,
    description: 'E-mail address; shown to the user and to administrators only.',
  })
  declare email: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Always null: identities at the OpenID provider are not shown.',
  })
  get identityUrl(): string | null {
    return null;
  }

  @Field(() => String, { description: '`active` or `locked`.' })
  declare status: string;

  @Field(() => DateTime, { description: 'When the user was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When the user was last changed.' })
  declare updatedAt: string;

  /** True for the visitor who presented nothing. */
  declare anonymous: boolean;
  declare passwordHash: string | null;
  /** Issuer and subject at the OpenID provider, joined by a space. */
  declare identity: string | null;
  /** Not a column: an application acts for the user, with a token that ends. */
  declare byApplication?: boolean;
}
