/** Lists and searches show exactly the rows that single reads show, for random people and projects. */
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { randomNumbers } from '../../support/random-numbers.js';

const SEED = 22;
const PEOPLE = 8;

let app: App;
const people: (Person | undefined)[] = [];
const packages: ContainerHandle[] = [];
const projects: { id: number }[] = [];
const users: Person[] = [];

beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  const random = randomNumbers(SEED);
  await given.role(['view_work_packages'], 'Non member');
  const admin = await given.user({ admin: true });
  for (let at = 0; at < 8; at += 1) {
    const project = await given.project({ isPublic: random(3) === 0, name: `Quay ${at}` });
    projects.push(project);
    for (const word of ['rope', 'crane', 'rope crane'].slice(random(3)))
      packages.push(await given.workPackage(project, admin, `Check the ${word}`));
  }
  for (let at = 0; at < PEOPLE; at += 1) {
    const person = await given.user();
    users.push(person);
    for (const project of projects)
      if (random(3) === 0)
        await given.membership(
          person,
          project,
          random(2) === 0 ? ['view_work_packages'] : ['view_meetings'],
        );
  }
  people.push(admin, ...users, undefined);
});
afterAll(() => app.stop());

const idsOf = (list: { nodes: { databaseId: number }[] } | null) =>
  (list?.nodes ?? []).map(({ databaseId }) => databaseId);

/** The rows that a person can read one by one. */
async function readable(
  field: 'workPackage' | 'project' | 'user',
  ids: readonly number[],
  person: Person | undefined,
): Promise<number[]> {
  const fields = ids.map((id) => `a${id}: ${field}(id: ${id}) { databaseId }`);
  const found: number[] = [];
  while (fields.length > 0) {
    const { data } = await app.graphql(`{ ${fields.splice(0, 25).join(' ')} }`, {}, person);
    for (const row of Object.values(data as { [alias: string]: { databaseId: number } | null }))
      if (row) found.push(row.databaseId);
  }
  return found.sort((a, b) => a - b);
}

describe.each(Array.from({ length: PEOPLE + 2 }, (_, at) => at))('person %i', (at) => {
  test.each([
    ['', () => packages],
    ['(filter: { search: "rope" })', () => packages.filter(({ title }) => title!.includes('rope'))],
    [
      '(filter: { search: "crane che" })',
      () => packages.filter(({ title }) => title!.includes('crane')),
    ],
  ])('finds by workPackages%s what single reads show', async (args, matching) => {
    const person = people[at];
    const expected = await readable(
      'workPackage',
      matching().map(({ id }) => id),
      person,
    );
    const all = args === '' ? '(first: 100)' : args.replace(')', ', first: 100)');
    const query = `{ workPackages${all} { totalCount nodes { databaseId } } }`;
    const { data, errors } = await app.graphql(query, {}, person);
    // Without the permission anywhere, the list is refused.
    if (errors) expect([errors[0]!.extensions.code, expected]).toEqual(['MISSING_PERMISSION', []]);
    else {
      expect(idsOf(data.workPackages)).toEqual(expected);
      expect(data.workPackages.totalCount).toBe(expected.length);
    }
  });

  test('finds by projects and users nothing that single reads hide', async () => {
    const person = people[at];
    const { data } = await app.graphql(
      '{ projects(first: 100, filter: { search: "quay" }, orderBy: ID_ASC) { nodes { databaseId } } users(first: 100) { nodes { databaseId } } }',
      {},
      person,
    );
    expect(idsOf(data.projects)).toEqual(
      await readable(
        'project',
        projects.map(({ id }) => id),
        person,
      ),
    );
    const shown = idsOf(data.users).sort((a, b) => a - b);
    expect(await readable('user', shown, person)).toEqual(shown);
  });
});
