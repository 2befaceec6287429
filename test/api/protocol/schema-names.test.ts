/** Names in the GraphQL schema. */
import { startApp, type App } from '../../support/app.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.stop());

interface Enum {
  name: string;
  enumValues: { name: string }[] | null;
}

test('all values of enums are in SCREAMING_SNAKE_CASE', async () => {
  const { data } = await app.graphql('{ __schema { types { name enumValues { name } } } }', {});
  const enums = data.__schema.types.filter((type: Enum) => type.enumValues !== null) as Enum[];
  expect(enums.length).toBeGreaterThan(20);
  const names = enums.flatMap(({ name, enumValues }) =>
    enumValues!.map((value) => `${name}.${value.name}`),
  );
  expect(names.filter((name) => !/^\w+\.[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name))).toEqual([]);
});

test('the words of the database and of HAL are no names of GraphQL', async () => {
  const documents = [
    '{ projects(orderBy: nameAsc) { totalCount } }',
    '{ container(id: "1") { attachments(filter: { statuses: [uploaded] }) { totalCount } } }',
  ];
  for (const document of documents) {
    const { errors } = await app.graphql(document, {});
    expect(errors?.map(({ message }) => message)).toEqual([
      expect.stringContaining('does not exist in'),
    ]);
  }
});

test('a query with an error reads the values of its variables once', async () => {
  const { errors } = await app.graphql(
    'query ($orders: [WorkPackageOrder!]!) { workPackages(first: -1, orderBy: $orders) { totalCount } }',
    { orders: ['CREATED_AT_ASC'] },
  );
  expect(errors?.map(({ extensions: { attribute } }) => attribute)).toEqual(['first']);
});
