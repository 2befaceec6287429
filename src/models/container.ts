/** The GraphQL interface and the base class of all containers of attachments. */
import { Field, Int, InterfaceType } from 'type-graphql';
import { containerKinds, containerTypes, type ContainerType } from '../contract/container-kinds.js';
import { joinedList, withArticle } from '../contract/words.js';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

export type { ContainerType };

const kinds = containerTypes.map(
  (type) => withArticle(containerKinds[type].noun) + (type === 'Activity' ? ' (comment)' : ''),
);

@InterfaceType({
  implements: Node,
  description: `An object that can have attachments: ${joinedList(kinds, 'or')}.`,
})
export abstract class Container {
  @Field(() => Int, { description: 'The integer id of the HAL document.' })
  databaseId!: number;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: string;

  @Field(() => DateTime, { description: 'When it or one of its attachments last changed.' })
  updatedAt!: string;
}

/** Columns and properties that all their tables share. */
export abstract class ContainerRecord extends Record {
  /** The name of work packages and posts. */
  declare subject?: string;
  /** The name of meetings and wiki pages. */
  declare title?: string;
  /** For an activity, the project of its work package. */
  declare projectId: number;
  declare authorId: number;
  declare ref: string | null;
}
