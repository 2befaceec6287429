/** OAuth clients of this service's authorization server. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

/** The only scope of this service's authorization server. */
export const API_SCOPE = 'api_v3';

@ObjectType('OAuthApplication', {
  implements: Node,
  description:
    "An OAuth 2 client of this service's authorization server, such as the integration app of a " +
    'storage. Its secret is shown once, at its creation.',
  simpleResolvers: true,
})
export class OAuthApplication extends Record {
  static override tableName = 'oauth_applications';
  static override booleans = ['confidential'];
  static override jsonAttributes = ['redirectUris', 'scopes'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'Name on the page where users authorize the client.' })
  declare name: string;

  @Field(() => String, { description: 'The public client identifier.' })
  declare clientId: string;

  @Field(() => Boolean, {
    description: 'Whether the client can keep a secret. Other clients must use PKCE.',
  })
  declare confidential: boolean;

  @Field(() => [String], { description: 'Allowed redirect URIs. They must match exactly.' })
  declare redirectUris: string[];

  @Field(() => [String], { description: 'Scopes of its tokens.' })
  declare scopes: string[];

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it last changed.' })
  declare updatedAt: string;

  /** SHA-256 of the secret, hexadecimal; null for public clients. */
  declare clientSecretHash: string | null;
  /** The administrator who created it. */
  declare ownerId: number;
  declare storageId: number | null;
}
