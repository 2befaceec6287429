import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

/** The only scope of our authorization server. */
export const API_SCOPE = 'api_v3';

@ObjectType('OAuthApplication', {
  implements: Node,
  description:
    "A client of this service's authorization server, such as the integration app of a storage. Its secret is shown once, when it is made.",
  simpleResolvers: true,
})
export class OAuthApplication extends Record {
  static override tableName = 'oauth_applications';
  static override booleans = ['confidential'];
  static override jsonAttributes = ['redirectUris', 'scopes'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'What people are asked to trust.' })
  declare name: string;

  @Field(() => String, { description: 'The public identifier that the client presents.' })
  declare clientId: string;

  @Field(() => Boolean, {
    description: 'Whether it can keep a secret; one that cannot must use PKCE.',
  })
  declare confidential: boolean;

  @Field(() => [String], { description: 'Where codes may be sent, exactly.' })
  declare redirectUris: string[];

  @Field(() => [String], { description: 'What its tokens are good for.' })
  declare scopes: string[];

  @Field(() => DateTime, { description: 'When it was made.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it was last changed.' })
  declare updatedAt: string;

  /** SHA-256 of the secret, hexadecimal; null for clients that have none. */
  declare clientSecretHash: string | null;
  /** The user for whom its client credentials tokens act. */
  declare ownerId: number;
  declare storageId: number | null;
}
