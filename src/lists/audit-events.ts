/** Lists the audit, newest first. The caller must check first that it may be seen. */
import { AuditEvent, type AuditKind } from '../models/audit-event.js';
import {
  listOf,
  never,
  sql,
  startsOf,
  timeConditions,
  type Condition,
  type TimeRange,
} from './conditions.js';
import { byCreation, type List } from './list.js';

interface AuditFilter {
  kinds?: readonly AuditKind[] | undefined;
  actorId?: number | undefined;
  subject?: { type: string; id: number } | undefined;
  createdAt?: TimeRange | undefined;
}

/** @throws InvalidQuery */
export function auditList({ kinds, actorId, subject, createdAt }: AuditFilter): List<AuditEvent> {
  const conditions = [
    ...(kinds
      ? [
          kinds.length === 0
            ? { filter: never }
            : where(`audit_events.kind in ${listOf(kinds)}`, kinds),
        ]
      : []),
    ...(actorId === undefined ? [] : [where('audit_events.actor_id = ?', [actorId])]),
    ...(subject
      ? [
          where('audit_events.subject_type = ? and audit_events.subject_id = ?', [
            subject.type,
            subject.id,
          ]),
        ]
      : []),
    ...timeConditions('audit_events', 'created_at', createdAt),
  ];
  return {
    rows: (knex) => AuditEvent.query(knex),
    filters: () => conditions.map(({ filter }) => filter),
    starts: startsOf(conditions, true),
    order: byCreation(AuditEvent.tableName, 'desc'),
  };
}

/** Each has an index. */
const where = (text: string, values: readonly (string | number)[]): Condition => ({
  filter: sql(text, values),
  start: {
    parts: [sql(`select audit_events.id from audit_events where ${text}`, values)],
    isFirst: true,
  },
});
