/** What only administrators do: every operation that says so in the schema, and every page. */
import type { GraphQLField } from 'graphql';
import { signedInAddresses } from '../../src/pages/application-addresses.js';
import { application, PASSWORD, signable } from '../api/auth/support/applications.js';
import { codeGrant } from '../api/auth/support/grants.js';
import { startApp, type App } from '../support/app.js';
import { Visitor } from '../support/browser-visitor.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { callOperation, operationsOf } from '../support/schema-calls.js';

type Operation = GraphQLField<unknown, unknown> & { kind: 'query' | 'mutation' };

let app: App;
let ada: Person;
let people: { [caller: string]: Person };
let token: { key: string };
let operations: Operation[];
beforeAll(async () => {
  app = await startApp();
  ada = await signable(app, { admin: true });
  const project = await app.given.project({ isPublic: true });
  const reader = await signable(app);
  const member = await signable(app);
  await app.given.membership(reader, project, ['view_work_packages']);
  await app.given.membership(member, project, [
    'view_work_packages',
    'edit_work_packages',
    'manage_file_links',
    'manage_files_in_project',
  ]);
  people = { member, reader };
  token = { key: (await codeGrant(app, await application(app, ada), ada)).body.access_token };
  const { queries, mutations } = await operationsOf(app, ada);
  operations = [
    ...queries.map((one): Operation => ({ ...one, kind: 'query' })),
    ...mutations.map((one): Operation => ({ ...one, kind: 'mutation' })),
  ];
});
afterAll(() => app?.stop());

const isForAdministrators = ({ description }: Operation): boolean =>
  (description ?? '').replace(/\s+/g, ' ').includes('unless the caller is an administrator');
const call = (operation: Operation, as?: { key: string }) =>
  callOperation(app, operation.kind, operation, as);
const codeOf = async (operation: Operation, as?: { key: string }): Promise<unknown> =>
  (await call(operation, as)).errors?.[0]?.extensions.code;

/** For these, people need a permission in any project. */
const OF_PROJECTS = [
  'status',
  'statuses',
  'type',
  'types',
  'workPackageForm',
  'workPackages',
  'createAttachment',
  'createFileLinks',
  'prepareAttachmentUpload',
];
/** One's own only: administrators are no exception, or have another operation. */
const OF_ONESELF = ['changePassword', 'createApiKey', 'markNotificationsRead'];

test.each(['member', 'reader', 'anonymous caller', 'application of an administrator'])(
  'every operation of administrators in the schema refuses: %s',
  async (caller) => {
    const as = caller.startsWith('application') ? token : people[caller];
    const found = operations.filter(isForAdministrators);
    expect(found.length).toBeGreaterThan(35);
    for (const operation of found) {
      const { data, errors, status } = await call(operation, as);
      // What a person cannot see is not found. Here, no record exists.
      const code = errors?.[0]?.extensions.code;
      expect([operation.name, status, code, data?.[operation.name] ?? null]).toEqual([
        operation.name,
        200,
        expect.stringMatching(/^(MISSING_PERMISSION|NOT_FOUND)$/),
        null,
      ]);
      if (caller.startsWith('application'))
        expect([operation.name, code]).toEqual([operation.name, 'MISSING_PERMISSION']);
    }
  },
);

test('the schema says of each operation whether only administrators may call it', async () => {
  const silent = await app.given.user();
  const wrong: string[] = [];
  for (const operation of operations) {
    const { name } = operation;
    if (OF_PROJECTS.includes(name) || OF_ONESELF.includes(name)) continue;
    const isRefused = (await codeOf(operation, silent)) === 'MISSING_PERMISSION';
    const isRefusedToAdministrators = (await codeOf(operation, ada)) === 'MISSING_PERMISSION';
    if (isRefusedToAdministrators || (isRefused && !isForAdministrators(operation)))
      wrong.push(name);
  }
  expect(wrong).toEqual([]);
});

const addresses = signedInAddresses
  .filter(({ names }) => names === 'Administration')
  .map(({ path }) => path.replace(':id', '1'));

test.each(['member', 'reader'])(
  'every page of the administration is missing for: %s',
  async (who) => {
    const visitor = new Visitor(app);
    await visitor.signIn(people[who]!.login, PASSWORD);
    const administrator = new Visitor(app);
    await administrator.signIn(ada.login, PASSWORD);
    expect(addresses.length).toBeGreaterThan(20);
    const missing = await visitor.get('/administration/nothing-of-this-name');
    for (const path of addresses) {
      const { status, text } = await visitor.get(path);
      const page = (html: string) => html.replaceAll(/nonce="[^"]*"/g, '');
      expect([path, status, page(text)]).toEqual([path, 404, page(missing.text)]);
      expect([path, (await administrator.get(path)).status]).toEqual([path, 200]);
    }
    expect((await visitor.get('/administration/audit.ndjson')).status).toBe(403);
  },
);

test('without a session, the pages lead to the sign-in, also with an access token or an API key', async () => {
  for (const path of addresses) {
    const visitor = new Visitor(app);
    expect((await visitor.get(path)).location).toMatch(/^\/login\?/);
    for (const { key } of [token, ada]) {
      const { status, location } = await visitor.get(path, { authorization: `Bearer ${key}` });
      expect([path, status, location]).toEqual([path, 303, expect.stringMatching(/^\/login\?/)]);
    }
  }
  const { status } = await app.get('/administration/audit.ndjson', token);
  expect([401, 403]).toContain(status);
});
