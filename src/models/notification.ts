/** Notifications of files and file links that others add to a work package. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

export enum NotificationReason {
  ASSIGNED = 'assigned',
  COMMENTED = 'commented',
  CREATED = 'created',
}
registerEnumType(NotificationReason, {
  name: 'NotificationReason',
  description: 'Why a person is notified. The first one that applies.',
  valuesConfig: {
    ASSIGNED: { description: 'The work package is assigned to the person.' },
    COMMENTED: { description: 'The person commented on the work package.' },
    CREATED: { description: 'The person is the author of the work package.' },
  },
});

@ObjectType({
  implements: Node,
  description:
    'Tells one person that somebody else added files or file links to a work package. What one ' +
    'person adds to one work package within five minutes is one notification.',
  simpleResolvers: true,
})
export class Notification extends Record {
  static override tableName = 'notifications';
  static override booleans = ['internal', 'read'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => NotificationReason, { description: 'Why the person is notified.' })
  declare reason: NotificationReason;

  @Field(() => Boolean, { description: 'Whether the person has marked it as read.' })
  declare read: boolean;

  @Field(() => DateTime, { description: 'When the first file was added.' })
  declare createdAt: string;

  @Field(() => DateTime, {
    description: 'When the last file was added, or when it was marked as read or unread.',
  })
  declare updatedAt: string;

  declare userId: number;
  declare workPackageId: number;
  /** Who added the files. */
  declare actorId: number;
  /** The comment with the files, or the entry of the history that lists them. */
  declare activityId: number | null;
  /** Whether the files belong to an internal comment. */
  declare internal: boolean;
}
