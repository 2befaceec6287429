/** External storages. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { constantCase } from '../contract/words.js';
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

/** The columns that only storages of one type have. */
type OwnColumns = { [name in OwnMemberName]: string | null };

export type StorageType = Type;
export const StorageType = Object.fromEntries(
  storageTypeNames.map((type) => [constantCase(type), type]),
);
registerEnumType(StorageType, {
  name: 'StorageType',
  description: 'Kind of external file service.',
  valuesConfig: Object.fromEntries(
    storageTypeNames.map((type) => [
      constantCase(type),
      { description: storageTypes[type].description },
    ]),
  ),
});

export enum AuthenticationMethod {
  TWO_WAY_OAUTH2 = 'TwoWayOAuth2',
  OAUTH2_SSO = 'OAuth2SSO',
}
registerEnumType(AuthenticationMethod, {
  name: 'AuthenticationMethod',
  description: 'How a self-hosted file server identifies users.',
  valuesConfig: {
    TWO_WAY_OAUTH2: { description: 'Each side is an OAuth 2 client of the other.' },
    OAUTH2_SSO: { description: 'With tokens of an OpenID provider that both sides trust.' },
  },
});

export enum AuthorizationState {
  CONNECTED = 'Connected',
  FAILED_AUTHORIZATION = 'FailedAuthorization',
  ERROR = 'Error',
}
registerEnumType(AuthorizationState, {
  name: 'AuthorizationState',
  description: 'Whether the storage accepts the caller. The service requests it from the storage.',
  valuesConfig: {
    CONNECTED: { description: 'The storage accepts the caller.' },
    FAILED_AUTHORIZATION: {
      description: "The caller has not connected yet, or the storage rejects the caller's token.",
    },
    ERROR: { description: 'The storage did not answer, or not as it should.' },
  },
});

export enum AuthorizationProblem {
  ASKED_TO_WAIT = 'ASKED_TO_WAIT',
  CLIENT_REFUSED = 'CLIENT_REFUSED',
}
registerEnumType(AuthorizationProblem, {
  name: 'AuthorizationProblem',
  description: 'Why the state of a connection is `ERROR`, if more is known.',
  valuesConfig: {
    ASKED_TO_WAIT: {
      description:
        'The storage has too many requests, and asked to wait. The service leaves it alone until then.',
    },
    CLIENT_REFUSED: {
      description:
        'The storage refuses this service as its client. The person cannot mend that: an ' +
        'administrator must correct the client credentials of the storage.',
    },
  },
});

// Declares the columns whose names come from the table of storage types.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Storage extends OwnColumns {}

@ObjectType({
  implements: Node,
  description: 'An external file service. API answers never contain its secrets.',
  simpleResolvers: true,
})
export class Storage extends Record {
  static override tableName = 'storages';
  static override booleans = ['foldersAllowed'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => StorageType, { description: 'Type of file service. It never changes.' })
  declare type: StorageType;

  @Field(() => String, { description: 'Name, unique.' })
  declare name: string;

  @Field(() => String, {
    nullable: true,
    description: 'URL of a self-hosted file server, with a final slash; null for cloud drives.',
  })
  declare origin: string | null;

  @Field(() => AuthenticationMethod, {
    nullable: true,
    description: 'How a self-hosted file server identifies users; null for cloud drives.',
  })
  declare authenticationMethod: AuthenticationMethod | null;

  @Field(() => String, {
    nullable: true,
    description: 'With OAUTH2_SSO, the audience that tokens for the storage must have.',
  })
  declare storageAudience: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'With OAUTH2_SSO, the scope that the OpenID provider is asked for when it exchanges a token ' +
      'for the storage.',
  })
  declare tokenExchangeScope: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the service manages project folders with an application password; null for cloud ' +
      'drives.',
  })
  get hasApplicationPassword(): boolean | null {
    return storageTypes[this.type].hasOrigin ? this.applicationPassword !== null : null;
  }

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the application may manage project folders in the drive; null for storages that ' +
      'need an application password for that.',
  })
  get automaticallyManagedFolders(): boolean | null {
    return storageTypes[this.type].foldersNeed === 'automaticallyManagedFolders'
      ? this.foldersAllowed
      : null;
  }

  /** Whether the service can manage the folders of projects there. */
  get canManageFolders(): boolean {
    const { foldersNeed } = storageTypes[this.type];
    if (foldersNeed === undefined) return false;
    return foldersNeed === 'applicationPassword'
      ? this.applicationPassword !== null
      : this.foldersAllowed;
  }

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it last changed.' })
  declare updatedAt: string;

  /** When the service last tried whether it works. Null: not yet. */
  declare triedAt: string | null;
  /** When it last worked. Null: not known. */
  declare workedAt: string | null;
  /** Null: it works, or it was not tried. */
  declare failingSince: string | null;
  /** Host, port and path of the origin. Two origins with the same key are the same. */
  declare originKey: string | null;
  /** Whether an administrator allows the application to manage folders in a drive. */
  declare foldersAllowed: boolean;
  /** Sealed. */
  declare applicationPassword: string | null;
  declare creatorId: number;
}

for (const name of ownMemberNames)
  Field(() => String, { nullable: true, description: ownMembers[name].description })(
    Storage.prototype,
    name,
  );
