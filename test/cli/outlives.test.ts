/** A server survives errors inside the GraphQL executor. */
import { startApp, type App } from '../support/app.js';
import { endCommands, environmentOf, serve } from '../support/cli.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await endCommands();
  await app.stop();
});

test('a row that fails while another one is loading is an error of the document', async () => {
  const project = await app.given.project();
  const people = [
    await app.given.member(project, ['view_work_packages', 'view_file_links', 'manage_file_links']),
    await app.given.member(project, ['view_work_packages', 'view_file_links', 'manage_file_links']),
  ] as const;
  const workPackage = await app.given.workPackage(project, people[0]);
  const storage = await app.given.storage();
  await app.given.projectStorage(project, storage);
  const links: number[] = [];
  for (const [index, person] of people.entries()) {
    const { body } = await app.post(`${workPackage.path}/file_links`, person, {
      _embedded: {
        elements: [
          {
            originData: { id: `${index}`, name: 'a.txt' },
            _links: { storage: { href: storage.path } },
          },
        ],
      },
    });
    links.push(body._embedded.elements[0].id);
  }
  const { command, banner } = await serve({ ...environmentOf(app), LOG_LEVEL: 'debug' });
  const ask = async (query: string, variables: object) => {
    const answer = await fetch(`${banner.address}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${people[0].key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  // From here on the name of the second user is cached. The first one must be loaded.
  expect(
    (
      await ask('query ($id: ID!) { fileLink(id: $id) { creator { name } } }', {
        id: String(links[1]),
      })
    ).body,
  ).toEqual({ data: { fileLink: { creator: { name: people[1].name } } } });
  const { status, body } = await ask(
    'query ($id: ID!, $refresh: Boolean = true) { workPackage(id: $id) { fileLinks { nodes { creator { name } originData(refresh: $refresh) @include(if: true) { name } } } } }',
    { id: String(workPackage.id), refresh: null },
  );
  expect([status, body.errors.map(({ extensions }: any) => extensions.code)]).toEqual([
    200,
    ['INVALID_REQUEST_BODY'],
  ]);
  expect((await ask('{ viewer { name } }', {})).body).toEqual({
    data: { viewer: { name: people[0].name } },
  });
  command.child.kill('SIGTERM');
  const { status: ended, stderr } = await command.outcome;
  const lines = stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  // No alert for an error that a client caused.
  expect([
    ended,
    lines.filter(({ msg }) => msg === 'a failure that nobody waited for').map(({ level }) => level),
    lines.filter(({ level }) => level >= 40),
  ]).toEqual([0, [20], []]);
});
