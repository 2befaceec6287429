/** Roles. */
import { Field, ObjectType } from 'type-graphql';
import { Record } from './record.js';

/**
 * A named set of permissions.
 * In public projects, `Non member` applies to signed-in users without a membership, and `Anonymous`
 * to anonymous users.
 */
@ObjectType({
  description: 'A role of members. It comes from the directory.',
  simpleResolvers: true,
})
export class Role extends Record {
  static override tableName = 'roles';

  @Field(() => String, { description: 'Name of the role, unique.' })
  declare name: string;
}

export const NON_MEMBER = 'Non member';
export const ANONYMOUS = 'Anonymous';
