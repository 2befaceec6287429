/** This service's credentials as an OAuth client of a storage. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

@ObjectType('OAuthClientCredentials', {
  implements: Node,
  description:
    'Credentials of this service as an OAuth 2 client of a storage. The secret is never shown.',
  simpleResolvers: true,
})
export class OAuthClientCredentials extends Record {
  static override tableName = 'oauth_client_credentials';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'The client identifier that the storage assigned.' })
  declare clientId: string;

  @Field(() => Boolean, { description: 'Always true: the credentials have a secret.' })
  get confidential(): boolean {
    return true;
  }

  @Field(() => DateTime, { description: 'When they were created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When they last changed.' })
  declare updatedAt: string;

  declare storageId: number;
  /** Sealed. */
  declare clientSecret: string;

  /** The host of the storage when these were read. Not columns. */
  declare storageOrigin: string | null;
}
