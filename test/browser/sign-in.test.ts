/** A browser signs in and consents by keyboard. The content security policy of the pages applies. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'openid-client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  application,
  PASSWORD,
  signable,
  type Application,
} from '../api/auth/support/applications.js';
import { form, me } from '../api/auth/support/grants.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import {
  OUR_CLIENT,
  startIdentityProvider,
  type IdentityProvider,
} from '../support/fakes/identity-provider.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

describeBrowser('a browser', () => {
  let app: App;
  let browser: Browser;
  let provider: IdentityProvider;
  let client: Server;
  let redirect: string;
  let person: Person;
  let tool: Application;
  const complaints: string[] = [];

  beforeAll(async () => {
    [browser, provider] = await Promise.all([startBrowser(), startIdentityProvider()]);
    app = await startApp({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: OUR_CLIENT.id,
      OIDC_CLIENT_SECRET: OUR_CLIENT.secret,
    });
    client = createServer(
      (_req, res) =>
        void res
          .setHeader('Content-Type', 'text/html')
          .end('<!doctype html><title>The application</title><link rel="icon" href="data:,">'),
    );
    await new Promise<void>((resolve) => void client.listen(0, '127.0.0.1', resolve));
    // For browsers, localhost and 127.0.0.1 are different sites.
    redirect = `http://localhost:${(client.address() as AddressInfo).port}/oauth-redirect`;
    person = await signable(app, { firstName: 'Ida', lastName: 'Ott', email: 'ida@example.test' });
    tool = await application(app, person, { redirectUris: [redirect] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    client?.close();
    await app?.stop();
    await provider?.close();
  });

  const VERIFIER = 'v'.repeat(64);
  const address = async () =>
    `${app.url}/oauth/authorize?${new URLSearchParams({ client_id: tool.clientId, redirect_uri: redirect, response_type: 'code', state: 'a-state', code_challenge: await oauth.calculatePKCECodeChallenge(VERIFIER), code_challenge_method: 'S256' })}`;
  async function open(): Promise<{ page: Page; context: BrowserContext }> {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.on('console', (message) => {
      // The pages of others have no icon, and a failed sign-in is an expected answer.
      if (
        message.type() === 'error' &&
        !/favicon|status of 4(22|29)/.test(message.text() + message.location().url)
      )
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => void complaints.push(error.message));
    return { page, context };
  }
  const focused = (page: Page) =>
    page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');
  const arrived = (page: Page) => page.waitForURL(`${redirect}?*`);

  test('signs in, consents and is sent back, by keyboard alone', async () => {
    const { page, context } = await open();
    await page.goto(await address());
    expect(await page.title()).toBe('Sign in – Moorage');
    expect(await focused(page)).toBe('login');
    await page.keyboard.type(person.login);
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('Login or password is wrong.');
    expect([
      await focused(page),
      await page.getByLabel('Login').inputValue(),
      await page.getByLabel('Password').inputValue(),
    ]).toEqual(['password', person.login, '']);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Let A <b>tool</b> & more act for you?' }).waitFor();
    expect(await page.locator('main').innerText()).toContain(
      `You are signed in as Ida Ott (${person.login}). Afterwards you are sent to ${new URL(redirect).origin}.`,
    );
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Allow');
    await page.keyboard.press('Enter');
    await arrived(page);
    const answer = new URL(page.url()).searchParams;
    expect(answer.get('state')).toBe('a-state');
    const { body } = await form(app, '/oauth/token', {
      grant_type: 'authorization_code',
      code: answer.get('code')!,
      redirect_uri: redirect,
      client_id: tool.clientId,
      client_secret: tool.secret,
      code_verifier: VERIFIER,
    });
    expect((await me(app, body.access_token)).body.id).toBe(person.id);

    // Already signed in: the consent page comes at once. This time the user refuses.
    await page.goto(await address());
    await page.getByRole('button', { name: 'Deny' }).click();
    await arrived(page);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    // The session also works for the pages of the service.
    await page.goto(`${app.url}/api/docs`);
    const own = await page.evaluate(
      "fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '{ viewer { login } }' }) }).then((answer) => answer.json())",
    );
    expect(own).toEqual({ data: { viewer: { login: person.login } } });
    await page.goto(`${app.url}/login`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect((await context.cookies(app.url)).map(({ name }) => name)).toEqual(['moorage_device']);
    expect(complaints).toEqual([]);
    await context.close();
  }, 60_000);

  test('links an identity at the OpenID provider, and signs in there', async () => {
    provider.people.set('ida', { sub: 's-ida' });
    const host = new URL(provider.issuer).host;
    const linking = await open();
    await linking.page.goto(`${app.url}/login`);
    await linking.page.getByLabel('Login').fill(person.login);
    await linking.page.getByLabel('Password').fill(PASSWORD);
    await linking.page.keyboard.press('Enter');
    await linking.page.waitForURL(`${app.url}/`);
    await linking.page.goto(`${app.url}/login`);
    await linking.page.getByRole('button', { name: `Link an identity at ${host}` }).click();
    await linking.page.getByLabel('Name').fill('ida');
    await linking.page.keyboard.press('Enter');
    await linking.page.getByRole('button', { name: 'Sign out' }).waitFor();
    await linking.context.close();
    const { page, context } = await open();
    await page.goto(await address());
    await page.getByRole('link', { name: `Sign in with ${host}` }).click();
    await page.getByLabel('Name').fill('ida');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).click();
    await arrived(page);
    expect(new URL(page.url()).searchParams.get('code')).toEqual(expect.any(String));
    expect(complaints).toEqual([]);
    await context.close();
  }, 60_000);

  test('does not sign in, sign out or consent for a form of another site', async () => {
    const { page, context } = await open();
    await page.goto(`${app.url}/login`);
    await page.getByLabel('Login').fill(person.login);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/`);
    const cookies = await context.cookies(app.url);
    for (const path of ['/logout', '/login']) {
      await page.goto(redirect);
      await page.evaluate(
        `document.body.innerHTML = '<form method="post" action="${app.url}${path}"><button>Go</button></form>'`,
      );
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'This form was not sent from here' }).waitFor();
    }
    expect(await context.cookies(app.url)).toEqual(cookies);
    await context.close();
  }, 60_000);
});
