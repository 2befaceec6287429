/** Projects. */
import { Field, Int, ObjectType } from 'type-graphql';
import { folded } from '../contract/folded-text.js';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

@ObjectType({
  implements: Node,
  description: 'A project. Memberships and permissions belong to it.',
  simpleResolvers: true,
})
export class Project extends Record {
  static override tableName = 'projects';
  static override booleans = ['public', 'active'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'Short name, unique.' })
  declare identifier: string;

  @Field(() => String, { description: 'Full name.' })
  declare name: string;

  @Field(() => Boolean, { description: 'Whether people who are not members can view it.' })
  declare public: boolean;

  @Field(() => Boolean, {
    description: 'Whether people still work on it. False for an archived one.',
  })
  declare active: boolean;

  @Field(() => DateTime, { description: 'When the project was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When the project last changed.' })
  declare updatedAt: string;

  declare parentId: number | null;
  /** The most bytes that its files may have together. Null: no limit. */
  declare storageQuota: number | null;
  /** Name and identifier, folded. Searches read it. */
  declare searchText: string;

  static searchTextOf = ({ name, identifier }: { name: string; identifier: string }): string =>
    folded(`${name}\n${identifier}`);

  override $beforeInsert(): void {
    this.searchText = Project.searchTextOf(this);
  }
}
