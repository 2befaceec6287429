/** The steps of an authorization-code cycle. */
import { calculatePKCECodeChallenge } from 'openid-client';
import type { Answer, App } from '../../../support/app.js';
import type { Person } from '../../../support/factories.js';
import { expect } from '../../../support/jest.js';
import { PASSWORD, REDIRECT, type Application } from './applications.js';
import { Visitor } from '../../../support/browser-visitor.js';

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

/** Lets a person sign in and consent, with the forms of the integration app. @returns the tokens */
export async function codeGrant(
  app: App,
  { clientId, secret }: Application,
  person: Person,
): Promise<Answer> {
  const verifier = 'v'.repeat(128);
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: '0123456789',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const answer = await authorize(new Visitor(app), person, `/oauth/authorize?${query}`);
  return form(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code')!,
    redirect_uri: REDIRECT,
    client_id: clientId,
    client_secret: secret,
    code_verifier: verifier,
  });
}
