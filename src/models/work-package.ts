/** Work packages. */
import type { QueryContext } from 'objection';
import { Field, Int, ObjectType } from 'type-graphql';
import { folded } from '../contract/folded-text.js';
import { Container, ContainerRecord } from './container.js';
import { DateTime } from './date-time.js';
import { markdown, type Formattable } from './formattable.js';
import { Node } from './node.js';
import { keepDescriptionTexts } from './work-package-text.js';

@ObjectType({
  implements: [Container, Node],
  description: 'A work package.',
  simpleResolvers: true,
})
export class WorkPackage extends ContainerRecord {
  static override tableName = 'work_packages';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'Subject of the work package.' })
  declare subject: string;

  @Field(() => Int, {
    description:
      'Counts the updates, including those that only claim attachments or file links. Send it ' +
      'with an update, so that the service rejects the update if another one came first. ' +
      'Uploads and deletions of attachments do not change it.',
  })
  declare lockVersion: number;

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it or one of its attachments last changed.' })
  declare updatedAt: string;

  declare descriptionText: string;
  declare statusId: number;
  declare typeId: number;
  declare assigneeId: number | null;
  declare responsibleId: number | null;
  /** The subject, folded. Searches read it. */
  declare searchText: string;

  get description(): Formattable {
    return markdown(this.descriptionText);
  }

  static searchTextOf = ({ subject }: { subject: string }): string => folded(subject);

  override $beforeInsert(): void {
    this.searchText = WorkPackage.searchTextOf(this);
  }

  override async $afterInsert({ transaction }: QueryContext): Promise<void> {
    const description = this.descriptionText as string | undefined;
    if (description) await keepDescriptionTexts(transaction, [{ id: this.id, description }]);
  }

  /** In a patch, `subject` is absent unless it changes. */
  override $beforeUpdate(): void {
    if ((this.subject as string | undefined) !== undefined)
      this.searchText = WorkPackage.searchTextOf(this);
  }
}
