/** What people have allowed applications. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { OAuthArtifact } from './oauth-artifact.js';

/** The first valid grant of a person for an application. Later ones are part of it. */
@ObjectType({
  implements: Node,
  description: 'An OAuth application that acts for a person.',
  simpleResolvers: true,
})
export class Authorization extends OAuthArtifact {
  @Field(() => Int, { name: 'databaseId', description: 'The integer id.' })
  declare id: number;

  @Field(() => String, { description: 'Name of the application.' })
  declare applicationName: string;

  @Field(() => [String], { description: 'What the application may use, as OAuth scopes.' })
  get scopes(): string[] {
    const { openid } = JSON.parse(this.payload) as { openid?: { scope?: string } };
    return openid?.scope?.split(' ') ?? [];
  }

  @Field(() => DateTime, { description: 'Since when the application may act for the person.' })
  declare createdAt: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the application last got a token. Null if that is not known any more.',
  })
  declare lastUsedAt: string | null;

  declare userId: number;
  declare clientId: string;
}
