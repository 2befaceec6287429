/** Memberships of users in projects. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

@ObjectType({
  implements: Node,
  description: 'The membership of a person in a project, with roles. It comes from the directory.',
  simpleResolvers: true,
})
export class Membership extends Record {
  static override tableName = 'memberships';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => DateTime, { description: 'When the membership was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When the membership last changed.' })
  declare updatedAt: string;

  declare userId: number;
  declare projectId: number;
}
