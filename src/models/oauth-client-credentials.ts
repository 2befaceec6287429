import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

@ObjectType('OAuthClientCredentials', {
  implements: Node,
  description:
    'What this service presents to a storage as its OAuth 2 client. The secret is never shown.',
  simpleResolvers: true,
})
export class OAuthClientCredentials extends Record {
  static override tableName = 'oauth_client_credentials';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'The identifier that the storage gave.' })
  declare clientId: string;

  @Field(() => Boolean, { description: 'Whether there is a secret: always.' })
  get confidential(): boolean {
    return true;
  }

  @Field(() => DateTime, { description: 'When they were set.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When they were last changed.' })
  declare updatedAt: string;

  declare storageId: number;
  /** Sealed. */
  declare clientSecret: string;

  /** Where the storage was when these were read: the host that they are for. */
  declare storageOrigin: string | null;
  declare storageTenantId: string | null;
}
