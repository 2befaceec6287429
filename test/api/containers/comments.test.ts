/** Long comments, and comments that take long to render. */
import { startApp, type App } from '../../support/app.js';
import { errorBody } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
let person: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  person = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
    'edit_own_work_package_comments',
  ]);
  workPackage = await app.given.workPackage(project, person);
});
afterAll(() => app.stop());

const MOST = 65_536;
const TOO_LONG = `Comment is too long (maximum is ${MOST} characters).`;
const add = (raw: string) =>
  app.post(`${workPackage.path}/activities`, person, { comment: { raw } });

test('a comment with more characters than the rendering limit is refused over REST and GraphQL', async () => {
  const { status, body } = await add('𝕏'.repeat(MOST));
  expect([status, body.comment.raw.length, body.comment.html]).toEqual([
    201,
    2 * MOST,
    `<p>${'𝕏'.repeat(MOST)}</p>`,
  ]);
  const refused = await add('x'.repeat(MOST + 1));
  expect([refused.status, refused.body]).toEqual([
    422,
    errorBody('PropertyConstraintViolation', TOO_LONG, 'comment'),
  ]);
  const update = await app.request('PATCH', `/api/v3/activities/${body.id}`, {
    as: person,
    json: { comment: { raw: 'x'.repeat(MOST + 1) } },
  });
  expect([update.status, update.body]).toEqual([
    422,
    errorBody('PropertyConstraintViolation', TOO_LONG, 'comment'),
  ]);
  const { errors } = await app.graphql(
    'mutation ($id: ID!, $comment: String!) { createComment(input: { workPackageId: $id, comment: $comment }) { comment { id } } }',
    { id: String(workPackage.id), comment: 'x'.repeat(MOST + 1) },
    person,
  );
  expect(errors).toMatchObject([
    {
      message: TOO_LONG,
      extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute: 'comment' },
    },
  ]);
});

test('in a list of expensive comments, the last ones are shown as plain text; each one alone is rendered', async () => {
  const line = `${'> - '.repeat(20)}a\n`;
  const ids: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const { status, body } = await add(
      `No ${n}\n\n${line.repeat(Math.floor(20_000 / line.length))}`,
    );
    expect(status).toBe(201);
    ids.push(body.id);
  }
  const { body } = await app.get(`${workPackage.path}/activities`, person);
  const shown = body._embedded.elements
    .filter(({ id }: { id: number }) => ids.includes(id))
    .map(({ comment }: any) => comment) as { raw: string; html: string }[];
  const rendered = shown.filter(({ html }) => html.includes('<blockquote>'));
  const asEntered = shown.filter(
    ({ raw, html }) => html === `<p>${raw.replaceAll('>', '&gt;').replaceAll('\n', '<br>\n')}</p>`,
  );
  expect([shown.length, rendered.length + asEntered.length]).toEqual([20, 20]);
  for (const some of [rendered, asEntered]) expect(some.length).toBeGreaterThan(0);
  const alone = await app.get(`/api/v3/activities/${ids.at(-1)}`, person);
  expect(alone.body.comment.html.includes('<blockquote>')).toBe(true);
});

const quoted = (n: number) => `${'>'.repeat(98)} No ${n}\n${'a\n'.repeat(32_000)}`;
const entered = (raw: string) => `<p>${raw.replaceAll('>', '&gt;').replaceAll('\n', '<br>\n')}</p>`;

test('deep quotations with many lazy lines are shown as they were entered', async () => {
  const { status, body } = await add(quoted(1));
  expect([status, body.comment.html]).toEqual([201, entered(quoted(1))]);
  const { data } = await app.graphql(
    'query ($id: ID!) { activity(id: $id) { comment { raw html } } }',
    { id: String(body.id) },
    person,
  );
  expect(data.activity.comment).toEqual({ raw: quoted(1), html: entered(quoted(1)) });
});

test('an expensive text does not take the rendering of the others in its list', async () => {
  const list = await app.given.workPackage(await app.given.project(), person);
  const admin = await app.given.user({ admin: true });
  for (const raw of [quoted(1), '*first*', quoted(2), '*last*'])
    await app.post(`${list.path}/activities`, admin, { comment: { raw } });
  const { body } = await app.get(`${list.path}/activities`, admin);
  expect(body._embedded.elements.map(({ comment }: any) => comment.html)).toEqual([
    entered(quoted(1)),
    '<p><em>first</em></p>',
    entered(quoted(2)),
    '<p><em>last</em></p>',
  ]);
});

test('all texts of a mutation have one budget, the same text counts once', async () => {
  const { body } = await add('x');
  const raw = (n: number) => `No ${n}\n\n${`${'> - '.repeat(20)}a\n`.repeat(150)}`;
  const numbers = Array.from({ length: 12 }, (_, n) => n);
  const update = async (texts: string[]) => {
    const variables = texts.map((_, n) => `$c${n}: String!`).join(' ');
    const { data } = await app.graphql(
      `mutation ($id: ID! ${variables}) { ${texts
        .map(
          (_, n) =>
            `u${n}: updateComment(input: { id: $id, comment: $c${n} }) { comment { comment { html } } }`,
        )
        .join(' ')} }`,
      { id: String(body.id), ...Object.fromEntries(texts.map((text, n) => [`c${n}`, text])) },
      person,
    );
    return Object.values(data).map((one: any) => one.comment.comment.html as string);
  };
  const different = await update(numbers.map(raw));
  const shown = different.map((html, n) =>
    html === entered(raw(n)) ? 'entered' : html.includes('<blockquote>') ? 'rendered' : html,
  );
  expect(shown[0]).toBe('rendered');
  expect(shown.filter((one) => one === 'entered').length).toBeGreaterThanOrEqual(8);
  const same = await update(numbers.map(() => raw(0)));
  expect(new Set(same)).toEqual(new Set([different[0]]));
});
