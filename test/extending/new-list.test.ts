/** A new list is a file of data and a field. Everything else of lists serves it like the others. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bash, copyOfSources } from '../packaging/checkout.js';
import { endCommands, type Outcome } from '../support/cli.js';
import { Client } from '../support/client.js';
import { databaseKind, on } from '../support/database.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';
import { differences, edit } from './scratch-checkout.js';
import { served } from './served-copy.js';

const FILE = 'src/lists/activities-of-people.ts';
const data = `/** What people wrote and changed. */
import type { Activity } from '../models/activity.js';
import { containerColumns, visible } from '../policies/visible.js';
import { byCreation } from './list.js';
import { fixed } from './statement.js';

/** The visible activities of people, newest first. */
export const activitiesOfPeople = fixed<Activity>({
  rows: (db, user) => visible.activities(user, db),
  columns: (db) => containerColumns(db, 'Activity'),
  parent: { column: 'activities.author_id', of: (row) => row.authorId },
  order: byCreation('activities', 'desc'),
});
`;

const RESOLVER = 'src/resolvers/user.ts';
const imports = `import { activitiesOfPeople } from '../lists/activities-of-people.js';
import { ActivityConnection } from '../models/relay-connection.js';
import { connection } from './connections.js';
import { PagedArgs } from './list-arguments.js';
`;
const field = `  @FieldResolver(() => ActivityConnection, { description: 'What the person did, newest first.' })
  activities(
    @Root() { id }: User,
    @Args(() => PagedArgs) args: PagedArgs,
    @Ctx() context: Context,
  ) {
    return connection(context, args, activitiesOfPeople, { parent: id });
  }
`;

const person = (login: string) => ({
  login,
  firstName: login,
  lastName: 'Fen',
  apiKeys: [{ name: 'test', key: `key-of-${login}-0123456789` }],
});
const comments = (author: string, ...texts: string[]) =>
  texts.map((comment) => ({ ref: `${author}-${comment}`, comment, author }));
const directory = {
  users: [person('ada'), person('rob')],
  roles: [
    { name: 'Reader', permissions: ['view_work_packages'] },
    { name: 'Anonymous', permissions: [] },
    { name: 'Non member', permissions: [] },
  ],
  projects: [
    {
      identifier: 'house',
      name: 'House',
      memberships: ['ada', 'rob'].map((user) => ({ user, roles: ['Reader'] })),
      workPackages: [
        {
          ref: 'w-1',
          subject: 'Order bricks',
          author: 'ada',
          activities: [...comments('ada', 'one', 'two', 'three'), ...comments('rob', 'four')],
        },
      ],
    },
    {
      identifier: 'garden',
      name: 'Garden',
      memberships: [{ user: 'ada', roles: ['Reader'] }],
      workPackages: [
        { ref: 'w-2', subject: 'Plant', author: 'ada', activities: comments('ada', 'secret') },
      ],
    },
  ],
};

let copy: string;
let typeCheck: Promise<Outcome>;
let client: Client;
let people: { [login: string]: string };
const caller = (login: string) => person(login).apiKeys[0]!;
beforeAll(async () => {
  copy = copyOfSources();
  writeFileSync(join(copy, FILE), data, { flag: 'wx' });
  edit(join(copy, RESOLVER), [
    [/^import \{ Arg, /m, '$&Args, '],
    [/^import \{ createApiKey \}/m, `${imports}$&`],
    [/^export class UserResolver \{$/m, `$&\n${field}`],
  ]);
  if (databaseKind() === 'sqlite')
    typeCheck = bash('npm run --silent typecheck -- --singleThreaded', copy);
  const { address, ids } = await served(copy, directory);
  people = Object.fromEntries(['ada', 'rob'].map((login) => [login, String(ids['users']![login])]));
  client = new Client(address, () => undefined);
}, 180_000);
afterAll(async () => {
  await endCommands();
  rmSync(copy, { recursive: true, force: true });
});

const PAGE = `
  query ($id: ID!, $first: Int, $after: String, $last: Int, $page: Int) {
    user(id: $id) {
      activities(first: $first, after: $after, last: $last, page: $page) {
        totalCount
        nodes { comment { raw } }
        pageInfo { hasNextPage hasPreviousPage endCursor }
      }
    }
  }`;
const ask = (of: string, by: string, args: object = {}) =>
  client.graphql(PAGE, { id: people[of], ...args }, caller(by));
const page = async (...asked: Parameters<typeof ask>) => {
  const { data } = await ask(...asked);
  const { nodes, totalCount, pageInfo } = data.user.activities;
  return {
    texts: nodes.map(({ comment }: any) => comment.raw),
    totalCount,
    next: pageInfo.hasNextPage,
    previous: pageInfo.hasPreviousPage,
    cursor: pageInfo.endCursor,
  };
};

test('one file and one field are all that is written by hand', () => {
  expect(differences(copy)).toEqual({ new: [FILE], changed: [RESOLVER], gone: [] });
});

describe('the list', () => {
  test('has what its caller sees, newest first, for each person', async () => {
    expect(await page('ada', 'ada')).toMatchObject({
      texts: ['secret', 'three', 'two', 'one'],
      totalCount: 4,
    });
    expect(await page('ada', 'rob')).toMatchObject({
      texts: ['three', 'two', 'one'],
      totalCount: 3,
    });
    expect(await page('rob', 'ada')).toMatchObject({ texts: ['four'], totalCount: 1 });
  });

  test('has pages by cursor, by number and from the end', async () => {
    const first = await page('ada', 'rob', { first: 2 });
    expect(first).toMatchObject({ texts: ['three', 'two'], next: true, previous: false });
    expect(await page('ada', 'rob', { first: 2, after: first.cursor })).toMatchObject({
      texts: ['one'],
      totalCount: 3,
      next: false,
      previous: true,
    });
    expect(await page('ada', 'rob', { first: 1, page: 2 })).toMatchObject({ texts: ['two'] });
    expect(await page('ada', 'rob', { last: 1 })).toMatchObject({ texts: ['one'], previous: true });
  });

  test('of several people is read for each in one document', async () => {
    const { data } = await client.graphql(
      `query ($ada: ID!, $rob: ID!) {
        ada: user(id: $ada) { ...latest }
        rob: user(id: $rob) { ...latest }
      }
      fragment latest on User { activities(first: 1) { totalCount nodes { comment { raw } } } }`,
      people,
      caller('rob'),
    );
    expect(data).toEqual({
      ada: { activities: { totalCount: 3, nodes: [{ comment: { raw: 'three' } }] } },
      rob: { activities: { totalCount: 1, nodes: [{ comment: { raw: 'four' } }] } },
    });
  });

  test.each([{ first: 201 }, { last: -1 }, { after: '' }, { first: 1, page: 0 }])(
    'refuses %j',
    async (args) => {
      const { errors } = await ask('ada', 'ada', args);
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['INVALID_QUERY']);
    },
  );
});

// The code is the same on both databases.
on('sqlite')('the copy compiles', async () => {
  expect(await typeCheck).toMatchObject({ status: 0, stdout: '' });
});
