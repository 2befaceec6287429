/** The audit in the graph, for administrators only. */
import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Context } from '../context.js';
import { InvalidQuery } from '../contract/errors.js';
import { fieldWeights } from '../contract/field-weights.js';
import { globalId, idOf, parseGlobalId } from '../contract/ids.js';
import { auditList } from '../lists/audit-events.js';
import { AuditEvent, AuditKinds, type AuditKind } from '../models/audit-event.js';
import { DateTime } from '../models/date-time.js';
import { AuditEventConnection } from '../models/relay-connection.js';
import { User } from '../models/user.js';
import { demandAdmin } from '../policies/can.js';
import { searchedConnection } from './connections.js';
import { PagedArgs } from './list-arguments.js';
import { ADMINS } from './schema-phrases.js';

@InputType({ description: 'Entries of the audit. Members narrow the list together.' })
class AuditEventFilter {
  @Field(() => [AuditKinds], { nullable: true, description: 'Only of these kinds.' })
  kinds?: AuditKind[] | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Only what this person did: a global id or an integer id. Error: INVALID_QUERY for others.',
  })
  actorId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Only what concerns this object: its global id, also after it was deleted. An integer does ' +
      'not say which kind of object it is. Error: INVALID_QUERY.',
  })
  subjectId?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only at this time or later.' })
  after?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only at this time or earlier.' })
  before?: string | null;
}

@ArgsType()
class AuditEventArgs extends PagedArgs {
  @Field(() => AuditEventFilter, { nullable: true, description: 'Only these.' })
  filter?: AuditEventFilter | null;
}

/** @throws InvalidQuery for a text that is no id */
function demandId<T>(id: T | undefined, argument: string): T {
  if (id === undefined)
    throw new InvalidQuery(`The member "${argument}" of the filter is not an id.`, argument);
  return id;
}

@Resolver(() => AuditEvent)
export class AuditResolver {
  @Query(() => AuditEventConnection, {
    complexity: fieldWeights.searched,
    description:
      'Returns who changed what, newest first: for AUDIT_DAYS days. ' +
      `Errors: ${ADMINS}; INVALID_QUERY. Access tokens of applications are refused.`,
  })
  auditEvents(@Args(() => AuditEventArgs) args: AuditEventArgs, @Ctx() context: Context) {
    demandAdmin(context);
    const { kinds, actorId, subjectId, after, before } = args.filter ?? {};
    return searchedConnection(context, args, () =>
      auditList({
        kinds: kinds ?? undefined,
        actorId: optional(actorId, (id) => demandId(idOf('User', id), 'actorId')),
        subject: optional(subjectId, (id) => demandId(parseGlobalId(id), 'subjectId')),
        createdAt: { from: after, until: before },
      }),
    );
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'Who did it. Null for commands, and for refused sign-ins.',
  })
  actor(@Root() { actorId }: AuditEvent, @Ctx() { loaders }: Context) {
    return actorId === null ? null : loaders.users.load(actorId);
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description: 'Global id of the object that was changed. It may be deleted. Null without one.',
  })
  subjectId(@Root() { subjectType, subjectId }: AuditEvent): string | null {
    return subjectType === null || subjectId === null ? null : globalId(subjectType, subjectId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Name of the object at that time. For a person, it is the name of now.',
  })
  async subjectName(
    @Root() { subjectType, subjectId, subjectName }: AuditEvent,
    @Ctx() { loaders }: Context,
  ): Promise<string | null> {
    return subjectType === 'User' && subjectId !== null
      ? (await loaders.users.load(subjectId)).name
      : subjectName;
  }
}

const optional = <T>(
  value: string | null | undefined,
  read: (value: string) => T,
): T | undefined => (value === null || value === undefined ? undefined : read(value));
