/** The steps of an authorization-code cycle. */
import type { Answer, App } from '../../../support/app.js';
import type { Person } from '../../../support/factories.js';
import { expect } from '../../../support/jest.js';
import { PASSWORD } from './applications.js';
import type { Visitor } from '../../../support/browser-visitor.js';

/** Opens an authorization URL, signs in if necessary, and consents. @returns the redirect of the application */
export async function authorize(
  visitor: Visitor,
  person: Person,
  path: string,
  decision: 'allow' | 'deny' = 'allow',
  headers: { [name: string]: string } = {},
): Promise<URL> {
  let page = await visitor.follow(await visitor.get(path, headers));
  if (page.path.startsWith('/login'))
    page = await visitor.follow(
      await visitor.post(page.path, { login: person.login, password: PASSWORD }),
    );
  expect({
    status: page.status,
    path: page.path,
    title: /<h1>(.*)<\/h1>/.exec(page.text)?.[1],
  }).toEqual({
    status: 200,
    path: expect.stringMatching(/^\/oauth\/interactions\//),
    title: expect.stringMatching(/^Let .* act for you\?$/),
  });
  const answered = await visitor.follow(await visitor.post(page.path, { decision }));
  return new URL(answered.location!);
}

/** A form as a server sends it. */
export const form = (
  app: App,
  path: string,
  members: { [name: string]: string },
  headers: { [name: string]: string } = {},
): Promise<Answer> =>
  app.request('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(members).toString(),
  });

export const me = (app: App, token: string): Promise<Answer> =>
  app.get('/api/v3/users/me', undefined, { headers: { authorization: `Bearer ${token}` } });
