/** Statuses of work packages. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

@ObjectType({
  implements: Node,
  description: 'A status of work packages, such as `New`. It comes from the directory.',
  simpleResolvers: true,
})
export class Status extends Record {
  static override tableName = 'statuses';
  static override booleans = ['isClosed', 'isDefault'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'Name of the status, unique.' })
  declare name: string;

  @Field(() => String, { nullable: true, description: 'A color as `#RRGGBB`, such as `#1A67A3`.' })
  declare color: string | null;

  @Field(() => Boolean, { description: 'Whether work packages with this status are closed.' })
  declare isClosed: boolean;

  @Field(() => Boolean, { description: 'Whether new work packages get this status.' })
  declare isDefault: boolean;

  @Field(() => Int, { description: 'Place in the list of all statuses, from 1.' })
  declare position: number;

  @Field(() => DateTime, { description: 'When the status was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When the status last changed.' })
  declare updatedAt: string;
}
