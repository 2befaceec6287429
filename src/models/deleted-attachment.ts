/** Attachments in the trash. */
import { Field, Int, ObjectType } from 'type-graphql';
import { containerRefOf, type ContainerKeys } from './attachment.js';
import { ByteCount } from './byte-count.js';
import type { ContainerType } from './container.js';
import { DateTime } from './date-time.js';
import { Record } from './record.js';

// Declares the foreign keys, whose names come from the table of container kinds.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface DeletedAttachment extends ContainerKeys {}

/** A row of `attachments` in the phase `deleted`. */
@ObjectType({
  description: 'A deleted file that can be restored (`restoreAttachments`).',
  simpleResolvers: true,
})
export class DeletedAttachment extends Record {
  static override tableName = 'attachments';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id that it had.' })
  declare id: number;

  @Field(() => String, { description: 'Name of the file.' })
  declare fileName: string;

  @Field(() => ByteCount, { description: 'Size in bytes.' })
  declare fileSize: number;

  @Field(() => String, { description: 'Media type.' })
  declare contentType: string;

  @Field(() => DateTime, { description: 'When it was deleted or replaced.' })
  declare deletedAt: string;

  @Field(() => DateTime, {
    description: 'Until when it can be restored. Then it is removed for good.',
  })
  get keptUntil(): string {
    return this.purgeAt;
  }

  declare authorId: number;
  declare purgeAt: string;
  declare deletedById: number;
  declare deletedProjectId: number;
  declare replacedById: number | null;

  get containerRef(): { type: ContainerType; id: number } | undefined {
    return containerRefOf(this);
  }
}
