/** `moorage import` reads statuses, types, parents of projects and details of work packages. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApp, type App } from '../support/app.js';
import { run } from '../support/cli.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import type { Person } from '../support/factories.js';

let app: App;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.given.user({ admin: true });
});
afterAll(() => app.stop());

async function take(directory: object): Promise<{ status: number | null; stderr: string }> {
  const file = join(app.folder, 'directory.json');
  writeFileSync(file, JSON.stringify(directory));
  return run(['import', file], app.environment);
}

const person = (login: string) => ({ login, firstName: login, lastName: 'Import' });

const directory = {
  statuses: [{ name: 'New' }, { name: 'Done', closed: true, color: '#00AA00' }],
  types: [
    { name: 'Task', default: false },
    { name: 'Defect', color: 'red', default: true },
  ],
  users: [person('ida'), person('olaf')],
  projects: [
    {
      identifier: 'harbour',
      name: 'Harbour',
      parent: 'town',
      types: ['Defect'],
      workPackages: [
        {
          ref: 'wp-paint',
          subject: 'Paint the bollards',
          author: 'ida',
          description: 'Twice, in **red**.',
          status: 'Done',
          type: 'Defect',
          assignee: 'olaf',
          responsible: 'ida',
        },
        { ref: 'wp-plain', subject: 'Sweep', author: 'ida' },
      ],
    },
    { identifier: 'town', name: 'Town', active: false },
  ],
};

const READ =
  '{ statuses { name color isClosed position } types { name color isDefault position } project(identifier: "harbour") { parent { identifier active } types { name } } workPackages { nodes { subject description { raw } status { name } type { name } assignee { login } responsible { login } } } found: workPackages(filter: { search: "bollards red" }) { nodes { subject } } bollards: workPackages(filter: { search: "bollard" }) { nodes { subject } } }';

const expected = {
  statuses: [
    { name: 'New', color: '#1A67A3', isClosed: false, position: 1 },
    { name: 'Done', color: '#00AA00', isClosed: true, position: 2 },
  ],
  types: [
    { name: 'Task', color: '#1A67A3', isDefault: false, position: 1 },
    { name: 'Defect', color: '#FF0000', isDefault: true, position: 2 },
  ],
  project: { parent: { identifier: 'town', active: false }, types: [{ name: 'Defect' }] },
  workPackages: {
    nodes: [
      {
        subject: 'Paint the bollards',
        description: { raw: 'Twice, in **red**.' },
        status: { name: 'Done' },
        type: { name: 'Defect' },
        assignee: { login: 'olaf' },
        responsible: { login: 'ida' },
      },
      {
        subject: 'Sweep',
        description: { raw: '' },
        status: { name: 'New' },
        type: { name: 'Defect' },
        assignee: null,
        responsible: null,
      },
    ],
  },
  found: { nodes: [] },
  bollards: { nodes: [{ subject: 'Paint the bollards' }] },
};

test('all details are imported, again without a change, and missing members stay', async () => {
  expect(await take(directory)).toMatchObject({ status: 0 });
  expect((await app.graphql(READ, {}, admin)).data).toEqual(expected);
  expect(await take(directory)).toMatchObject({ status: 0 });
  const [{ subject, ref, author }] = directory.projects[0]!.workPackages as [
    { subject: string; ref: string; author: string },
  ];
  expect(
    await take({
      projects: [
        { identifier: 'harbour', name: 'Harbour', workPackages: [{ ref, subject, author }] },
      ],
    }),
  ).toMatchObject({ status: 0 });
  app.running.services.forgetIdentities();
  expect((await app.graphql(READ, {}, admin)).data).toEqual(expected);
});

test('each wrong detail is named, and nothing is imported', async () => {
  const { status, stderr } = await take({
    statuses: [
      { name: 'A', default: true },
      { name: 'B', default: true },
    ],
    types: [{ name: 'C', color: 'url(x)' }],
    projects: [
      { identifier: 'one', name: 'One', parent: 'two', types: ['Unknown'] },
      { identifier: 'two', name: 'Two', parent: 'one' },
      { identifier: 'three', name: 'Three', parent: 'nowhere' },
    ],
  });
  expect(status).not.toBe(0);
  for (const part of [
    'statuses[1]: only one row can be the default',
    'types[0].color: must be a CSS color such as #1A67A3',
  ])
    expect(stderr).toContain(part);
  const circle = await take({
    projects: [
      { identifier: 'one', name: 'One', parent: 'two', types: ['Unknown'] },
      { identifier: 'two', name: 'Two', parent: 'one' },
      { identifier: 'three', name: 'Three', parent: 'nowhere' },
    ],
  });
  for (const part of [
    'projects[0].types[0]: there is no type named "Unknown"',
    'projects[0].parent: the project is its own ancestor',
    'projects[2].parent: there is no project "nowhere"',
  ])
    expect(circle.stderr).toContain(part);
  const { data } = await app.graphql('{ projects { nodes { identifier } } }', {}, admin);
  expect(data.projects.nodes).toEqual([{ identifier: 'harbour' }, { identifier: 'town' }]);
});
