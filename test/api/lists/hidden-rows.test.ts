/** Rows that the caller may not see do not change how a list is read, however many they are. */
import { startApp, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

/** With more rows, an index is not used to begin with. */
const HIDDEN = 10_001;
const LATER = '2035-01-01T00:00:00.000Z';

let app: App;
let admin: Person;
let member: Person;
let colleague: Person;
let own: { id: number };

beforeAll(async () => {
  app = await startApp();
  admin = await app.given.user({ admin: true });
  own = await app.given.project({ name: 'Depot' });
  member = await app.given.member(own, ['view_work_packages', 'view_file_links']);
  colleague = await app.given.member(own, ['view_work_packages']);
  const hidden = await app.given.project({ name: 'Yttrium mine' });
  const storage = await app.given.storage();
  await app.given.workPackage(own, admin, 'Lay cable');
  await app.given.workPackage(hidden, admin, 'Sell yttrium', { assigneeId: colleague.id });
  const { write } = app.running.services.db;
  await write('projects').where({ id: hidden.id }).update({ parent_id: own.id });
  for (const { id } of [own, hidden]) await app.given.projectStorage({ id }, storage);
  await copies('projects', { identifier: "'yttrium-' || n", parent_id: 'null' }, hidden.id);
  await copies('users', { login: "'yttrium-' || n", search_text: "'yttrium ' || n" }, admin.id);
  const { id: first } = await write('work_packages').where({ project_id: hidden.id }).first('id');
  await copies(
    'work_packages',
    { search_text: "'sell yttrium ' || n", created_at: `'${LATER}'`, updated_at: `'${LATER}'` },
    first,
  );
  const times = `'${LATER}', '${LATER}'`;
  await write.raw(
    'insert into file_links (work_package_id, storage_id, creator_id, origin_id, origin_name,' +
      ` created_at, updated_at) select id, ${storage.id}, ${admin.id}, 'yttrium', 'plan.txt', ${times}` +
      ` from work_packages where project_id = ${hidden.id}`,
  );
});
afterAll(() => app?.stop());

/** Copies a row, by SQL. Some columns get other values, which `n` counts. */
async function copies(table: string, values: { [column: string]: string }, id: number) {
  const { write } = app.running.services.db;
  const { id: _, ...row } = await write(table).where({ id }).first();
  const columns = Object.keys(row);
  await write.raw(
    `insert into ${table} (${columns.join(', ')})` +
      ` select ${columns.map((column) => values[column] ?? column).join(', ')} from ${table},` +
      ' (with recursive numbers (n) as' +
      ` (select 1 union all select n + 1 from numbers where n < ${HIDDEN})` +
      ` select n from numbers) as copies where ${table}.id = ?`,
    [id],
  );
}

/** Reads a list, with the statements that find its rows. */
async function read(field: string, person: Person) {
  let answer: object | undefined;
  const statements = await app.statements(async () => {
    const { data, errors } = await app.graphql(
      `{ ${field} { totalCount nodes { id } } }`,
      {},
      person,
    );
    answer = { data, errors };
  });
  return { answer, statements: statements.filter((sql) => /gathered|position0|counted/.test(sql)) };
}

const cases: { [name: string]: (isHidden: boolean) => string } = {
  'a word of work packages': (is) =>
    `workPackages(filter: { search: "${is ? 'yttrium' : 'zirconium'}" })`,
  'two words of work packages': (is) =>
    `workPackages(filter: { search: "sell ${is ? 'yttrium' : 'zirconium'}" })`,
  'a text of work packages': (is) =>
    `workPackages(filter: { text: "${is ? 'sell yttrium' : 'sell zirconium'}" })`,
  'a subject or number': (is) =>
    `workPackages(filter: { subjectOrId: "${is ? 'yttrium' : 'zirconium'}" })`,
  'a linked file': (is) =>
    `workPackages(filter: { fileLink: { originId: "${is ? 'yttrium' : 'other'}" } })`,
  'an assignee': (is) =>
    `workPackages(filter: { assigneeIds: ["${is ? colleague.id : member.id}"] })`,
  'a time of change': (is) =>
    `workPackages(filter: { updatedAt: { from: "${is ? LATER : LATER.replace('2035', '2036')}" } })`,
  'a time of creation': (is) =>
    `workPackages(filter: { createdAt: { from: "${is ? LATER : LATER.replace('2035', '2036')}" } })`,
  'a word of projects': (is) => `projects(filter: { search: "${is ? 'yttrium' : 'zirconium'}" })`,
  'a word of people': (is) => `users(filter: { search: "${is ? 'yttrium' : 'zirconium'}" })`,
};

test.each(Object.keys(cases))(
  '%s that only hidden rows have is as one that is nowhere',
  async (name) => {
    const field = cases[name] as (isHidden: boolean) => string;
    const nowhere = await read(field(false), member);
    expect(await read(field(true), member)).toEqual(nowhere);
    expect(nowhere.answer).toMatchObject({ data: { [field(true).split('(')[0]!]: { nodes: [] } } });
    expect(nowhere.statements.length).toBeGreaterThan(1);
    const all = await read(field(true), admin);
    expect(JSON.stringify(all.answer)).toContain('"totalCount":10000');
  },
);
