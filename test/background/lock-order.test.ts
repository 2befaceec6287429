/** All transactions lock rows of tables in one order, so that no two of them wait for each other. */
import { readFileSync } from 'node:fs';
import { startApp, type Answer, type App } from '../support/app.js';
import { on } from '../support/database.js';
import type { ContainerHandle, Person, StorageHandle } from '../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../support/jest.js';

/** The order, as `docs/explanation/architecture.md` has it. Tables of one place have no order. */
const ORDER: readonly (readonly string[])[] = [
  ['users'],
  ['project_storages'],
  ['file_links'],
  ['attachments'],
  ['work_packages', 'meetings', 'posts', 'wiki_pages'],
  ['activities'],
  ['notifications'],
  ['storages'],
  ['oauth_applications'],
  ['oauth_artifacts'],
];
const rankOf = (table: string) => ORDER.findIndex((tables) => tables.includes(table));

/**
 * PostgreSQL locks the row to which a written column refers. Nobody deletes projects and users. Who
 * deletes a storage first locks its project storages, and so does who links its files.
 */
const references: { [column: string]: string } = {
  work_package_id: 'work_packages',
  activity_id: 'activities',
  meeting_id: 'meetings',
  post_id: 'posts',
  wiki_page_id: 'wiki_pages',
};
const NOTIFICATIONS = 'notifications';

/** A statement, as knex reports it. */
interface Statement {
  sql: string;
  bindings?: readonly unknown[];
  __knexUid?: string;
}

/** The tables in which a statement locks rows that others can lock. A new row is not one of them. */
function locksOf({ sql, bindings = [] }: Statement): string[] {
  const text = sql.replaceAll('"', '').toLowerCase();
  const inserted = /\binsert into (\w+) \(([^)]*)\)/.exec(text);
  const updated = /\bupdate (\w+) set (.*?)( where |$)/.exec(text);
  const deleted = /\bdelete from (\w+)/.exec(text);
  const selected = /^select .*? from (\w+).* for (no key )?update/.exec(text);
  const own = updated?.[1] ?? deleted?.[1] ?? selected?.[1];
  // A notification names an entry of the history that its own transaction has just written.
  if (own === NOTIFICATIONS || inserted?.[1] === NOTIFICATIONS) return [NOTIFICATIONS];
  const set = [...(updated?.[2] ?? '').matchAll(/(\w+) = (\$\d+)/g)].map(
    ([, column, value]) => [column!, value] as const,
  );
  const values = /\bvalues \(([^)]*)\)/.exec(text)?.[1]?.split(', ');
  const given = inserted?.[2]?.split(', ').map((column, at) => [column, values?.[at]] as const);
  const named = [...set, ...(given ?? [])].filter(
    ([, value]) => !value?.startsWith('$') || bindings[Number(value.slice(1)) - 1] !== null,
  );
  return [...(own ? [own] : []), ...named.flatMap(([column]) => references[column] ?? [])].filter(
    (table) => rankOf(table) >= 0,
  );
}

/** The transactions of some requests: the tables in the order in which each locks them. */
async function transactionsOf(app: App, work: () => Promise<unknown>): Promise<string[][]> {
  const { write } = app.running.services.db;
  const done: string[][] = [];
  const open = new Map<string, string[]>();
  const note = (statement: Statement) => {
    const { sql, __knexUid: connection = '' } = statement;
    let tables = open.get(connection);
    if (!tables) {
      open.set(connection, (tables = []));
      done.push(tables);
      // Without `begin`, it is one packet of statements, which are sent at once.
      if (!/^begin/i.test(sql)) queueMicrotask(() => open.delete(connection));
    }
    tables.push(...locksOf(statement));
    if (/^(commit|rollback)/i.test(sql)) open.delete(connection);
  };
  write.on('query', note);
  try {
    await work();
  } finally {
    write.off('query', note);
  }
  return done;
}

/** A table that comes after another one, which the transaction has not locked before. */
function violations(tables: readonly string[]): string[] {
  const locked = new Set<string>();
  let last = '';
  return tables.flatMap((table) => {
    const isLate = !locked.has(table) && last !== '' && rankOf(table) < rankOf(last);
    locked.add(table);
    if (last === '' || rankOf(table) > rankOf(last)) last = table;
    return isLate ? [`${table} after ${last}`] : [];
  });
}

let app: App;
let person: Person;
let storage: StorageHandle;
let project: { id: number };
let workPackage: ContainerHandle;
let comment: ContainerHandle;
beforeAll(async () => {
  app = await startApp({ STORAGE_TIMEOUT_MS: '200' });
  person = await app.given.user({ admin: true });
});
afterAll(() => app.stop());
beforeEach(async () => {
  const { given } = app;
  project = await given.project();
  // Others are notified.
  const others = await given.member(project, ['view_work_packages', 'view_file_links']);
  storage = await given.storage({ origin: `http://127.0.0.1:9/${project.id}` });
  await given.projectStorage(project, storage);
  workPackage = await given.workPackage(project, others);
  comment = await given.comment(workPackage, person);
});

const mutate = (name: string, input: object) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const query = `mutation ($input: ${type}) { ${name}(input: $input) { __typename } }`;
  return app.request('POST', '/graphql', {
    as: person,
    json: { query, variables: { input } },
  });
};
const unclaimed = async () => String((await app.given.attachment({ author: person })).id);
const attached = async (container: ContainerHandle) =>
  String((await app.given.attachment({ container, author: person })).id);
const link = (id: string, workPackageId?: number) =>
  mutate('createFileLinks', {
    ...(workPackageId !== undefined && { workPackageId: String(workPackageId) }),
    fileLinks: [{ storageId: String(storage.id), originData: { id, name: 'plan.pdf' } }],
  });
const newestLink = async () =>
  String((await app.running.services.db.read('file_links').max({ id: 'id' }).first())!.id);

const operations: { [what: string]: () => Promise<Answer> } = {
  'an upload to a work package': () => app.upload(workPackage.attachments, { as: person }),
  'an upload to a comment': () => app.upload(comment.attachments, { as: person }),
  'a new comment with a file': async () =>
    mutate('createComment', {
      workPackageId: String(workPackage.id),
      comment: 'With a file',
      attachmentIds: [await unclaimed()],
    }),
  'a comment that claims a file, and loses another': async () => {
    await attached(comment);
    const attachmentIds = [await unclaimed()];
    return mutate('updateComment', { id: String(comment.id), comment: 'Changed', attachmentIds });
  },
  'a work package that claims files and links, and loses others': async () => {
    await attached(workPackage);
    await link('1', workPackage.id);
    await link('2');
    return mutate('updateWorkPackage', {
      id: String(workPackage.id),
      subject: 'Changed',
      attachmentIds: [await unclaimed()],
      fileLinkIds: [await newestLink()],
    });
  },
  'a new work package with a file and a link': async () => {
    await link('3');
    return mutate('createWorkPackage', {
      projectId: String(project.id),
      subject: 'New',
      attachmentIds: [await unclaimed()],
      fileLinkIds: [await newestLink()],
    });
  },
  'a new file link': () => link('4', workPackage.id),
  'a deleted file link': async () => {
    await link('5', workPackage.id);
    return mutate('deleteFileLink', { id: await newestLink() });
  },
  'a deleted file': async () => mutate('deleteAttachment', { id: await attached(workPackage) }),
  'a deleted file of a comment': async () =>
    mutate('deleteAttachment', { id: await attached(comment) }),
  'a changed description of a file': async () =>
    mutate('updateAttachment', { id: await attached(comment), description: 'Plan' }),
  'moved files': async () =>
    mutate('moveAttachments', {
      ids: [await attached(workPackage), await attached(comment)],
      to: workPackage.globalId,
    }),
  'a file that is moved to a comment': async () =>
    mutate('moveAttachments', { ids: [await attached(workPackage)], to: comment.globalId }),
  'copied files': async () =>
    mutate('copyAttachments', {
      ids: [await attached(comment), await attached(workPackage)],
      to: comment.globalId,
    }),
  'several deleted files': async () =>
    mutate('deleteAttachments', { ids: [await attached(comment), await attached(workPackage)] }),
  'a deleted comment': async () => {
    await attached(comment);
    return mutate('deleteComment', { id: String(comment.id) });
  },
  'a deleted work package': async () => {
    await attached(workPackage);
    await attached(comment);
    await link('6', workPackage.id);
    return mutate('deleteWorkPackage', { id: String(workPackage.id) });
  },
  'a storage that leaves a project': async () => {
    await link('7', workPackage.id);
    const { db } = app.running.services;
    const [row] = await db.read('project_storages').where({ project_id: project.id });
    return mutate('deleteProjectStorage', { id: String(row.id) });
  },
  'a deleted storage': async () => {
    await link('8', workPackage.id);
    return mutate('deleteStorage', { id: String(storage.id) });
  },
  'marked notifications': () => mutate('markNotificationsRead', { read: true }),
};

test('the page about the architecture has the order', () => {
  const page = readFileSync(
    new URL('../../docs/explanation/architecture.md', import.meta.url),
    'utf8',
  );
  const written = ORDER.map((tables) => tables.map((table) => `\`${table}\``).join(', '));
  expect(page).toContain(written.join(' → '));
});

for (const [what, send] of Object.entries(operations))
  on('postgres')(`${what} locks in that order`, async () => {
    let answer: Answer | undefined;
    const transactions = await transactionsOf(app, async () => {
      answer = await send();
    });
    expect({ isDone: answer!.status < 300, errors: answer!.body.errors }).toEqual({ isDone: true });
    expect(transactions.flat()).not.toEqual([]);
    expect(transactions.flatMap(violations)).toEqual([]);
  });
