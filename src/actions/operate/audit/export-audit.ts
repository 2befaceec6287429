/** Exports the audit as lines of JSON, the oldest entry first. */
import { globalId } from '../../../contract/ids.js';
import type { Database } from '../../../database/index.js';
import { AuditCredential, AuditEvent } from '../../../models/audit-event.js';
import { User } from '../../../models/user.js';

/** Entries that are read at once. */
const BATCH = 500;

/**
 * Each line is one entry: `id`, `createdAt`, `kind`, `actor` (`id` and `name`), `credential`, `credentialId`,
 * `address`, `subject` (`id`, a global id, and `name`), and the members `before` and `after`.
 * The caller must check first that it may be seen.
 */
export async function* auditLines({ read }: Pick<Database, 'read'>): AsyncGenerator<string> {
  for (let last = 0; ;) {
    const events = await AuditEvent.query(read).where('id', '>', last).orderBy('id').limit(BATCH);
    const people = await User.query(read).findByIds(
      events.flatMap(({ actorId, subjectType, subjectId }) => [
        ...(actorId === null ? [] : [actorId]),
        ...(subjectType === 'User' && subjectId !== null ? [subjectId] : []),
      ]),
    );
    const names = new Map(people.map((user) => [user.id, user.name]));
    yield events.map((event) => `${JSON.stringify(entryOf(event, names))}\n`).join('');
    last = events.at(-1)?.id ?? last;
    if (events.length < BATCH) return;
  }
}

/** As in the graph. */
const nameOf = new Map(Object.entries(AuditCredential).map(([name, value]) => [value, name]));

function entryOf(event: AuditEvent, names: ReadonlyMap<number, string>) {
  const { id, createdAt, kind, actorId, credential, credentialId, address } = event;
  const { subjectType, subjectId, subjectName } = event;
  return {
    id,
    createdAt,
    kind,
    actor: actorId === null ? null : { id: actorId, name: names.get(actorId) ?? null },
    credential: credential && (nameOf.get(credential) ?? null),
    credentialId,
    address,
    subject:
      subjectType === null || subjectId === null
        ? null
        : {
            id: globalId(subjectType, subjectId),
            name: subjectType === 'User' ? (names.get(subjectId) ?? null) : subjectName,
          },
    before: event.members('before'),
    after: event.members('after'),
  };
}
