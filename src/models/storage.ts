import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';
import {
  ownMemberNames,
  ownMembers,
  storageTypeNames,
  storageTypes,
  type OwnMemberName,
  type StorageType as Type,
} from '../storages/types.js';

/** The columns that storages of one type have. */
export type OwnColumns = { [name in OwnMemberName]: string | null };

export type StorageType = Type;
export const StorageType = Object.fromEntries(storageTypeNames.map((type) => [type, type])) as {
  readonly [type in Type]: type;
};
registerEnumType(StorageType, {
  name: 'StorageType',
  description: 'Kind of external file service.',
  valuesConfig: Object.fromEntries(
    storageTypeNames.map((type) => [type, { description: storageTypes[type].description }]),
  ),
});

/** Interface section 2.8. */
export enum AuthenticationMethod {
  TwoWayOAuth2 = 'TwoWayOAuth2',
  OAuth2SSO = 'OAuth2SSO',
}
registerEnumType(AuthenticationMethod, {
  name: 'AuthenticationMethod',
  description: 'How people are known to a self-hosted file server.',
  valuesConfig: {
    TwoWayOAuth2: { description: 'Each side is an OAuth 2 client of the other.' },
    OAuth2SSO: { description: 'By tokens of the OpenID provider that both sides trust.' },
  },
});

/** Interface section 2.8. */
export enum AuthorizationState {
  Connected = 'Connected',
  FailedAuthorization = 'FailedAuthorization',
  Error = 'Error',
}
registerEnumType(AuthorizationState, {
  name: 'AuthorizationState',
  description: 'Whether the storage accepts the caller, asked of the storage.',
  valuesConfig: {
    Connected: { description: 'It answers to the caller.' },
    FailedAuthorization: {
      description: "The caller has not connected yet, or the storage refuses the caller's token.",
    },
    Error: { description: 'The storage could not be asked.' },
  },
});

// Its columns come from the table of storage types.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Storage extends OwnColumns {}

@ObjectType({
  implements: Node,
  description: 'An external file service. Its secrets are never shown.',
  simpleResolvers: true,
})
export class Storage extends Record {
  static override tableName = 'storages';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => StorageType, { description: 'What it is; it never changes.' })
  declare type: StorageType;

  @Field(() => String, { description: 'Its name, unique.' })
  declare name: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Address of a self-hosted file server, with a slash at its end; null for cloud drives.',
  })
  declare origin: string | null;

  @Field(() => AuthenticationMethod, {
    nullable: true,
    description: 'How people are known to a self-hosted file server; null for cloud drives.',
  })
  declare authenticationMethod: AuthenticationMethod | null;

  @Field(() => String, {
    nullable: true,
    description: 'Audience that tokens for the storage must have, with OAuth2SSO.',
  })
  declare storageAudience: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether folders of projects are managed with an application password; null for cloud drives.',
  })
  get hasApplicationPassword(): boolean | null {
    return storageTypes[this.type].hasOrigin ? this.applicationPassword !== null : null;
  }

  @Field(() => DateTime, { description: 'When it was made.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it was last changed.' })
  declare updatedAt: string;

  /** Host, port and path of the origin: what makes two origins the same. */
  declare originKey: string | null;
  /** Sealed. */
  declare applicationPassword: string | null;
  declare creatorId: number;
}

for (const name of ownMemberNames)
  Field(() => String, { nullable: true, description: ownMembers[name].description })(
    Storage.prototype,
    name,
  );
