/** Roles. */
import { Field, Int, ObjectType } from 'type-graphql';
import { Node } from './node.js';
import { Record } from './record.js';

/**
 * A named set of permissions.
 * In public projects, `Non member` applies to signed-in users without a membership, and `Anonymous`
 * to anonymous users.
 */
@ObjectType({
  implements: Node,
  description: 'A role of members. It comes from the directory.',
  simpleResolvers: true,
})
export class Role extends Record {
  static override tableName = 'roles';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'Name of the role, unique.' })
  declare name: string;
}

export const NON_MEMBER = 'Non member';
export const ANONYMOUS = 'Anonymous';
