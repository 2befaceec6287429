/** What a field, a link or an embedded resource shows of a row is what the caller reads alone. */
import type { GraphQLInterfaceType } from 'graphql';
import { schema } from '../../src/graphql/schema.js';
import { startApp, type App } from '../support/app.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';
import { GraphReader, hidden, unknownFields, type Caller } from './edges/graph.js';
import { RestReader } from './edges/rest.js';
import { kindsOfChange, randomNumbers, World } from './edges/world.js';

/** Ids that rows of the worlds can have. */
const MOST = 60;
const ids = schema
  .getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)
  .flatMap(({ name }) =>
    Array.from({ length: MOST }, (_, at) => Buffer.from(`${name}:${at + 1}`).toString('base64url')),
  );

/** Where HAL has the rows of each type. */
const segments: { [type: string]: string } = {
  Project: 'projects',
  WorkPackage: 'work_packages',
  Activity: 'activities',
  Meeting: 'meetings',
  Post: 'posts',
  WikiPage: 'wiki_pages',
  User: 'users',
  Attachment: 'attachments',
  FileLink: 'file_links',
  Storage: 'storages',
  ProjectStorage: 'project_storages',
  Status: 'statuses',
  Type: 'types',
  Notification: 'notifications',
};
const lists = [
  '',
  ...['projects', 'work_packages', 'storages', 'notifications'].map((list) => `/${list}`),
];
const addressesOf = (graph: GraphReader): string[] => [
  ...lists.map((path) => `/api/v3${path}`),
  ...Object.entries(segments).flatMap(([type, segment]) =>
    graph
      .seen(type)
      .map((id) => `/api/v3/${segment}/${Buffer.from(id, 'base64url').toString().split(':')[1]}`),
  ),
];

test('every field that shows rows takes part, or reads them by their ids', () => {
  expect(unknownFields()).toEqual([]);
});

const nameOf = (caller: Caller) => caller?.login ?? 'anonymous';

describe.each([
  ['standard', 3],
  ['openproject', 8],
])('profile %s, seed %i', (profile, seed) => {
  let app: App;
  let world: World;
  beforeAll(async () => {
    app = await startApp({ API_PROFILE: profile });
    world = new World(app, randomNumbers(seed * 7_919));
    await world.make();
  });
  afterAll(() => app.stop());

  test.each(kindsOfChange)('after a change: %s', async (kind) => {
    await world.change(kind);
    const complete = new GraphReader(app, world.admin);
    await complete.walk(ids);
    const found = await Promise.all(
      world.callers().map(async (caller) => {
        const graph = caller === world.admin ? complete : new GraphReader(app, caller);
        const rest = new RestReader(app, caller);
        if (graph !== complete) await graph.walk(ids);
        await rest.walk(addressesOf(graph));
        return [...graph.problems, ...(await hidden(graph, complete)), ...rest.problems].map(
          (problem) => `${nameOf(caller)}: ${problem}`,
        );
      }),
    );
    expect([...new Set(found.flat())]).toEqual([]);
  });
});
