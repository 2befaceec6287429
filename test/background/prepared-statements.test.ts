/** Prepared statements: changes of the schema, cleaned and lost connections, poolers without them. */
import type { Knex } from 'knex';
import { startApp, type App } from '../support/app.js';
import { databaseKind, on } from '../support/database.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';

let app: App;
let person: Person;
let container: ContainerHandle;
let attachment: number;

async function fill(into: App): Promise<void> {
  app = into;
  const project = await app.given.project();
  person = await app.given.user();
  await app.given.membership(person, project, ['view_work_packages', 'edit_work_packages']);
  container = await app.given.workPackage(project, person, 'Order bricks');
  attachment = (await app.given.attachment({ container, author: person })).id;
}

/** One attachment, a list, and a description that is changed and read again. */
async function answers(): Promise<unknown[]> {
  const path = `/api/v3/work_packages/${container.id}`;
  const found = await Promise.all([
    app.get(`/api/v3/attachments/${attachment}`, person),
    app.get(`${path}/attachments`, person),
    app.get(path, person),
  ]);
  return found.map(({ status, body }) => [status, body as unknown]);
}

const knex = (): Knex => app.running.services.db.write;

const prepared = async (): Promise<string[]> => {
  const { rows } = await knex().raw<{ rows: { statement: string }[] }>(
    "select statement from pg_prepared_statements where name like 'moorage%'",
  );
  return rows.map(({ statement }) => statement);
};

afterAll(() => app.stop());

describe('with prepared statements', () => {
  beforeAll(async () => fill(await startApp()));

  test('reads go on after another process has added columns', async () => {
    const before = await answers();
    for (const table of ['attachments', 'work_packages', 'users', 'projects'])
      await knex().schema.alterTable(table, (columns) => columns.text('added_later'));
    app.running.services.forgetIdentities();
    expect(await answers()).toEqual(before);
    expect(before.map((answer) => (answer as unknown[])[0])).toEqual([200, 200, 200]);
  });

  test('writes go on after another process has added columns', async () => {
    const subject = async (text: string, lockVersion: number) => {
      const { status, body } = await app.patch(`/api/v3/work_packages/${container.id}`, person, {
        subject: text,
        lockVersion,
      });
      return [status, (body as { subject: string }).subject];
    };
    expect(await subject('Order tiles', 0)).toEqual([200, 'Order tiles']);
    await knex().schema.alterTable('work_packages', (columns) => columns.text('added_last'));
    // A transaction that meets the change once may be refused, and is repeated.
    const [status] = await subject('Order slates', 1);
    if (status === 503) await subject('Order slates', 1);
    expect(await subject('Order doors', 2)).toEqual([200, 'Order doors']);
  });

  on('postgres')('reads go on after connections were cleaned', async () => {
    const before = await answers();
    expect((await prepared()).length).toBeGreaterThan(0);
    // One after the other, each on the connection that was used last.
    for (let time = 0; time < 10; time += 1) await knex().raw('deallocate all');
    expect(await answers()).toEqual(before);
  });

  on('postgres')('reads go on after all connections were lost', async () => {
    const before = await answers();
    await knex().raw(
      'select pg_terminate_backend(pid) from pg_stat_activity' +
        ' where datname = current_database() and pid <> pg_backend_pid()',
    );
    // A request that meets a lost connection is refused, until all of them were met.
    let after = await answers();
    for (
      let time = 0;
      time < 10 && after.some((answer) => (answer as unknown[])[0] === 503);
      time += 1
    )
      after = await answers();
    expect(after).toEqual(before);
  });

  on('postgres')('a connection keeps 200 statements', async () => {
    await knex().transaction(async (trx) => {
      for (let number = 0; number < 250; number += 1)
        await trx.raw(`select ${number} as number where ? = 1`, [1]);
      const { rows } = await trx.raw<{ rows: { count: number }[] }>(
        "select count(*) as count from pg_prepared_statements where name like 'moorage%'",
      );
      expect(rows).toEqual([{ count: 200 }]);
    });
  });
});

describe('with DATABASE_PREPARED_STATEMENTS=false', () => {
  beforeAll(async () => {
    await app.stop();
    await fill(await startApp({ DATABASE_PREPARED_STATEMENTS: 'false' }));
  });

  test('requests are answered and no connection keeps a statement', async () => {
    const found = await answers();
    expect(found.map((answer) => (answer as unknown[])[0])).toEqual([200, 200, 200]);
    if (databaseKind() === 'postgres') expect(await prepared()).toEqual([]);
  });
});
