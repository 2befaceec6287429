/** The state of the service and of what works in the background. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';

/** Longer queues are counted up to here. */
export const MAX_WAITING = 10_000;

@ObjectType({ description: 'Work that waits for the background work.', simpleResolvers: true })
export class QueueState {
  @Field(() => String, { description: 'Name of the queue, as in the metrics.' })
  name!: string;

  @Field(() => Int, {
    description: `Rows that wait. ${MAX_WAITING} stands for so many or more.`,
  })
  waiting!: number;

  @Field(() => Int, { description: 'Seconds that the oldest one waits. 0 for an empty queue.' })
  oldestSeconds!: number;
}

@ObjectType({ description: 'A part of the service, as it was just tried.', simpleResolvers: true })
export class SystemCheck {
  @Field(() => String, { description: 'Name of the part, as `moorage doctor` calls it.' })
  name!: string;

  @Field(() => Boolean, {
    description: 'Whether it works and nothing is left to be configured.',
  })
  isDone!: boolean;

  @Field(() => String, { description: 'What was found, or what to set.' })
  detail!: string;
}

@ObjectType({ description: 'The state of the service.' })
export class SystemState {
  @Field(() => String, { description: 'Version of the service.' })
  version!: string;

  @Field(() => String, { description: 'Version of Node.js.' })
  nodeVersion!: string;

  @Field(() => String, { description: '`SQLite` or `PostgreSQL`.' })
  database!: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When `moorage backup-done` reported the last backup. Null: never.',
  })
  lastBackupAt!: string | null;

  @Field(() => Int, { description: 'Uploads that were prepared and are not complete.' })
  pendingUploads!: number;

  declare queues: QueueState[];
  declare checks: SystemCheck[];
}
