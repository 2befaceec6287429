/** Types of work packages. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

@ObjectType({
  implements: Node,
  description: 'A type of work packages, such as `Task`. It comes from the directory.',
  simpleResolvers: true,
})
export class Type extends Record {
  static override tableName = 'types';
  static override booleans = ['isDefault'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'Name of the type, unique.' })
  declare name: string;

  @Field(() => String, { nullable: true, description: 'A color as `#RRGGBB`, such as `#1A67A3`.' })
  declare color: string | null;

  @Field(() => Boolean, {
    description: 'Whether new work packages get this type, if their project has it.',
  })
  declare isDefault: boolean;

  @Field(() => Int, { description: 'Place in the list of all types, from 1.' })
  declare position: number;

  @Field(() => DateTime, { description: 'When the type was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When the type last changed.' })
  declare updatedAt: string;
}
