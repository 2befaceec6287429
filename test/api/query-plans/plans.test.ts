/** With many rows, no list, single read or background work scans a whole table. */
import { setTimeout as sleep } from 'node:timers/promises';
import { deliverEvent } from '../../../src/actions/operate/webhooks/deliver-event.js';
import { dispatchEvents } from '../../../src/actions/operate/webhooks/dispatch-events.js';
import { rescanAttachments } from '../../../src/actions/files/attachments/rescan-attachments.js';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import {
  acquireDownload,
  endDownload,
} from '../../../src/actions/files/avatars/directory-avatars.js';
import { fetchAvatar } from '../../../src/actions/files/avatars/fetch-avatar.js';
import { acquireAttachment } from '../../../src/actions/base/leases/attachment-queues.js';
import { acquireDelivery } from '../../../src/actions/operate/webhooks/acquire-delivery.js';
import type { DirectoryAvatar } from '../../../src/models/directory-avatar.js';
import type { WebhookDelivery } from '../../../src/models/webhook.js';
import { schema } from '../../../src/graphql/schema.js';
import { startApp, type App, type GraphqlAnswer } from '../../support/app.js';
import { databaseKind } from '../../support/database.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { descriptionOf, operationsOf } from '../../support/openapi.js';
import { fill } from './fill.js';
import { errorsOf, queries, restPaths, statusOf, type Ids } from './operations.js';
import { openPlans, statementsOf, type Plans, type Statement } from './plans.js';

const SIZE = { projects: 2_000, users: 2_000, attachments: 20_000, fileLinks: 5_000 };

/** Reads whose length is the length of the request or of its answer. */
const exceptions: { reason: string; sql: RegExp }[] = [
  {
    reason:
      'An administrator sees all project storages: the whole list, its length, or a page of it in the order of the key.',
    sql: /^select (count\(\*\) as total|project_storages\.\*) from project_storages where \(\(1 = 1 and 1 = 1\) or 1 = 1\)( order by project_storages\.id desc( limit \?)?)?$/,
  },
  {
    reason:
      'The latest files of one user, at most 1,000. A table of containers with hardly more rows is read completely.',
    sql: /^select attachments\.\* from attachments left join .* and attachments\.id in \(select newest\.id from attachments as newest where newest\.author_id = \? order by newest\.id desc limit \?\)/,
  },
  {
    reason:
      'Up to 100 attachments of an archive, by their keys. A table of containers with hardly more rows is read completely.',
    sql: /^select attachments\.\w+ as .* from attachments left join .* attachments\.id = any\(/,
  },
  {
    reason: 'An administrator reads a page of the whole audit, in the order of the key.',
    sql: /^select audit_events\.\* from audit_events order by audit_events\.id (asc|desc) limit \?$/,
  },
  {
    reason:
      'An administrator reads a page of all sessions, in the order of the key. Ended ones are removed every hour.',
    sql: /^select sessions\.\* from sessions where sessions\.expires_at > \? order by sessions\.id desc limit \?$/,
  },
  {
    reason:
      'An administrator sees all memberships: the whole list, its length, or a page of it in the order of the key.',
    sql: /^select (count\(\*\) as total|memberships\.\*) from memberships where 1 = 1( order by memberships\.id asc( limit \?)?)?$/,
  },
  {
    reason:
      'The projects that use a storage and in which the caller can upload: for an administrator, all of its projects.',
    sql: /^select projects\.\*, project_storages\.storage_id from projects inner join project_storages .* and \(1 = 1\) order by projects\.id asc$/,
  },
  {
    reason:
      'A request names hundreds of users or projects. A table with hardly more rows is read completely.',
    sql: /^select (users|projects)\.\* from \1 where id in \((\?, ){99,}\?\)$/,
  },
  {
    reason: 'A row for each storage with project folders: there are few.',
    sql: /^select due_at as since from folder_syncs where due_at <= \? order by due_at asc limit \?$/,
  },
  {
    reason:
      'A page of a long list, or its length up to a limit. It reads the few rows of a start, or the first rows in ' +
      'the order of the list. `npm run bench:search` measures it with a million rows.',
    sql: /^(select ((projects|users|attachments|file_links|work_packages|meetings|posts|wiki_pages)\.\*(, .* as position0\b.*| from \w+ order by \w+\.id (asc|desc))|count\(\*\) as total from \(select 1 from .*) limit \?(\) as counted)?|select ids from \(with found as materialized \(.* limit (10|30)001\) select case when count\(\*\) <= (10|30)000 then .* end as ids from found\) as gathered)$/,
  },
  {
    reason: 'The same for files, of which lists have only those whose upload is finished.',
    sql: /^select (attachments\.\*|\* from \(select attachments\.\*) from attachments where attachments\.phase = 'kept' and attachments\.status <> 'prepared' .* order by attachments\.id (asc|desc) limit \?$/,
  },
  {
    reason: 'The same for linked files, of which lists have only those that a project uses.',
    sql: /^select \* from (\(select \* from )?\(select file_links\.\*, .* from file_links\) as file_links .*where file_links\.work_package_id is not null and .* order by file_links\.id (asc|desc) limit \?$/,
  },
];

let app: App;
let plans: Plans;
let ids: Ids;
let people: { [who: string]: Person | undefined };

beforeAll(async () => {
  app = await startApp();
  const { db } = app.running.services;
  const { longWorkPackage, role } = await fill(db.write, SIZE);
  const member = await app.given.user();
  await db.write.raw(
    `insert into memberships (user_id, project_id, created_at, updated_at) select ${member.id}, id, created_at, updated_at from projects where id % 97 = 60`,
  );
  await db.write.raw(
    `insert into membership_roles (membership_id, role_id) select id, ${role} from memberships where user_id = ${member.id}`,
  );
  await db.write.raw(
    "insert into stray_blobs (blob_key, remove_after) select 'stray ' || id, '2100-01-01T00:00:00.000Z' from attachments",
  );
  await fillNotifications(member);
  people = { admin: await app.given.user({ admin: true }), member, 'anonymous user': undefined };
  ids = await publicIds(longWorkPackage);
  await db.write.raw(databaseKind() === 'sqlite' ? 'analyze' : 'vacuum analyze');
  plans = await openPlans(app);
});
afterAll(async () => {
  await plans?.close();
  await app?.stop();
});

/** Some for the member, who is in one project, and more for others. */
async function fillNotifications(member: { id: number }): Promise<void> {
  const { write } = app.running.services.db;
  const columns =
    'user_id, work_package_id, actor_id, activity_id, reason, internal, read, created_at, updated_at';
  const values = `id, author_id, null, 'created', false, false, '${NOW}', '${NOW}'`;
  await write.raw(
    `insert into notifications (${columns}) select author_id, ${values} from work_packages`,
  );
  await write.raw(
    `insert into notifications (${columns}) select ${member.id}, ${values} from work_packages` +
      ' where project_id = 60',
  );
}

/** Rows that all callers can view: a public project in which the member is a member too. */
async function publicIds(workPackage: number): Promise<Ids> {
  const project = 60;
  const { db } = app.running.services;
  const one = async (table: string, where: object, column = 'id') => {
    const row: { [column: string]: number } = await db
      .read(table)
      .where(where)
      .orderBy('id')
      .first(column);
    return row[column]!;
  };
  const cursor = (...position: unknown[]) =>
    Buffer.from(JSON.stringify(position)).toString('base64url');
  return {
    project,
    container: project,
    workPackage,
    projectStorage: project,
    storage: await one('project_storages', { project_id: project }, 'storage_id'),
    activity: await one('activities', { work_package_id: project, internal: false }),
    attachment: await one('attachments', { work_package_id: project, status: 'scanned' }),
    fileLink: await one('file_links', { work_package_id: project }),
    user: await one('work_packages', { id: project }, 'author_id'),
    notification: await one('notifications', { user_id: people['member']!.id }),
    membership: await one('memberships', { project_id: project }),
    role: await one('roles', { name: 'Filled member' }),
    cursors: { file: cursor('drawing-000050000.pdf', 10_000), row: cursor(400) },
  };
}

/** The cleanup finds nothing to remove. */
const NOW = new Date().toISOString();

const plain = (sql: string) => sql.replaceAll(/["`]/g, '').replaceAll(/\$\d+/g, '?');
const explained = new Set<string>();

/** Full table scans without an exception, for new statements. */
async function wholeReads(statements: readonly Statement[]): Promise<string[]> {
  const found: string[] = [];
  for (const statement of statements) {
    const text = plain(statement.sql);
    if (explained.has(text) || exceptions.some(({ sql }) => sql.test(text))) continue;
    explained.add(text);
    for (const whole of await plans.wholeReads(statement)) found.push(`${whole}: ${text}`);
  }
  return found;
}

/** Clears caches, so that each request is like the first one. */
async function asFirst(work: () => Promise<unknown>): Promise<string[]> {
  app.running.services.forgetIdentities();
  return wholeReads(await statementsOf(app, work));
}

describe.each(['admin', 'member', 'anonymous user'])('for the %s', (who) => {
  const as = () => people[who];

  test('every GET of the HAL API finds its rows by an index', async () => {
    const paths = restPaths(ids);
    const described = operationsOf(descriptionOf(app.profile)).flatMap(([name]) =>
      name.startsWith('GET ') ? [name.slice('GET '.length)] : [],
    );
    expect(Object.keys(paths).sort()).toEqual(described.sort());
    const found: { [path: string]: [status: number, ...whole: string[]] } = {};
    const expected: typeof found = {};
    for (const [template, samples] of Object.entries(paths)) {
      for (const path of samples) {
        let status = 0;
        const whole = await asFirst(async () => {
          ({ status } = await app.get(`/api/v3${path}`, as()));
        });
        found[path] = [status, ...whole];
        expected[path] = [statusOf(template, who)];
      }
    }
    expect(found).toEqual(expected);
  });

  test('every field of Query finds its rows by an index', async () => {
    const documents = queries(ids);
    expect(Object.keys(documents).sort()).toEqual(
      Object.keys(schema.getQueryType()!.getFields()).sort(),
    );
    for (const [field, document] of Object.entries(documents)) {
      let answer: GraphqlAnswer | undefined;
      const whole = await asFirst(async () => {
        answer = await app.graphql(document, {}, as());
      });
      const codes = answer!.errors?.map(({ extensions }) => extensions.code);
      expect([field, codes, whole]).toEqual([field, errorsOf(field, who), []]);
    }
  });
});

/** A due delivery. No key decrypts the secret of its webhook. */
async function dueDelivery(): Promise<WebhookDelivery> {
  const { services } = app.running;
  await services.db
    .write('webhook_deliveries')
    .where({ webhook_id: 2, delivery_id: 'waiting-1' })
    .update({ due_at: services.clock().toISOString() });
  const taken = await acquireDelivery(services);
  expect(taken?.deliveryId).toBe('waiting-1');
  return taken!;
}

/** A picture that waits. Its address must not be called. */
async function dueAvatar(): Promise<DirectoryAvatar> {
  const { services } = app.running;
  await services.db
    .write('directory_avatars')
    .where({ user_id: 2 })
    .update({ due_at: services.clock().toISOString() });
  const taken = await acquireDownload(services);
  expect(taken?.userId).toBe(2);
  return taken!;
}

test('background work finds its rows by an index', async () => {
  const { services } = app.running;
  const once = new AbortController();
  const whole = await asFirst(async () => {
    const feed = await services.events.subscribe();
    // Two polls, for databases that do not notify about new rows.
    await sleep(450);
    await feed.return!();
    for (const queue of ['finalization', 'removal', 'newScan', 'oldScan'] as const)
      expect(await acquireAttachment(services, queue)).toBeUndefined();
    expect(await acquireDelivery(services)).toBeUndefined();
    expect(await acquireDownload(services)).toBeUndefined();
    const avatar = await dueAvatar();
    await fetchAvatar(services, avatar);
    await endDownload(services.db.write, avatar.userId);
    await deliverEvent(services, await dueDelivery());
    expect(await dispatchEvents(services)).toBe(0);
    const swept = {
      expired: 0,
      abandoned: 0,
      staged: 0,
      unfinished: 0,
      trash: 0,
      events: 0,
      notifications: 0,
      fileLinks: 0,
      credentials: 0,
      audit: 0,
      deliveries: 0,
      usage: expect.any(Number),
    };
    for (const dryRun of [true, false])
      expect(await runCleanup(services, { dryRun })).toEqual(swept);
    services.db.write.once('query', () => once.abort());
    await rescanAttachments(services, once.signal);
    await services.metrics.registry.metrics();
  });
  expect(whole).toEqual([]);
});

test('a new file finds the people to notify by an index', async () => {
  for (const path of [
    `/api/v3/work_packages/${ids.container}/attachments`,
    `/api/v3/activities/${ids.activity}/attachments`,
  ]) {
    let status = 0;
    const whole = await asFirst(async () => {
      ({ status } = await app.upload(path, { as: people['admin']! }));
    });
    expect([path, status, whole]).toEqual([path, 200, []]);
  }
});
