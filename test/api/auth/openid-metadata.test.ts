/** The metadata of the OpenID provider can change while the service runs. */
import { OpenId } from '../../../src/auth/openid/index.js';
import { startApp, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import {
  OUR_CLIENT,
  startIdentityProvider,
  type IdentityProvider,
} from '../../support/fakes/identity-provider.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../../support/jest.js';

const DISCOVERY = '/.well-known/openid-configuration';
const CALLBACK = 'http://127.0.0.1/login/openid/callback';
const MINUTE_MS = 60_000;

let provider: IdentityProvider;
let app: App;
let now: number;
let openId: OpenId;
beforeAll(async () => {
  provider = await startIdentityProvider();
  app = await startApp({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: OUR_CLIENT.id,
    OIDC_CLIENT_SECRET: OUR_CLIENT.secret,
  });
});
beforeEach(async () => {
  provider.repair();
  provider.forget();
  now = Date.now();
  const { services } = app.running;
  openId = new OpenId({ ...services, clock: () => new Date(now) }, services.settings.openId!);
  expect(await signInPage()).toBe('/authorize');
});
afterAll(async () => {
  await app.stop();
  await provider.close();
});

/** The path to which browsers are redirected. */
const signInPage = async () => new URL((await openId.begin(CALLBACK, '/')).url).pathname;
const readings = () => provider.requests.filter(({ path }) => path === DISCOVERY).length;

/** Moves the pages of the provider. The test decides when the provider announces that. */
async function moveAway(hold = (): Promise<void> => Promise.resolve()): Promise<void> {
  const said = (await (await fetch(provider.url + DISCOVERY)).json()) as {
    [name: string]: unknown;
  };
  const body = JSON.stringify({
    ...said,
    authorization_endpoint: `${provider.url}/moved`,
    token_endpoint: `${provider.url}/moved-token`,
  });
  provider.forget();
  provider.fault(
    { status: 200, headers: { 'content-type': 'application/json' }, body, hold },
    ({ path }) => path === DISCOVERY,
  );
  provider.fault({ status: 404 }, ({ path }) => path === '/token');
}
const follows = () =>
  until(
    async () => (await signInPage()) === '/moved',
    'browsers are sent to where the page is now',
  );

test('is read again after an hour, once for all requests, while the old metadata is used', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await moveAway(() => released);
  now += 59 * MINUTE_MS;
  expect([await signInPage(), readings()]).toEqual(['/authorize', 0]);
  now += 2 * MINUTE_MS;
  expect(await Promise.all([signInPage(), signInPage(), signInPage()])).toEqual([
    '/authorize',
    '/authorize',
    '/authorize',
  ]);
  release();
  await follows();
  expect(readings()).toBe(1);
});

test('stays in use while it cannot be read, and is read again half a minute later', async () => {
  provider.forget();
  provider.fault({ status: 500 }, ({ path }) => path === DISCOVERY);
  const from = app.logLines.length;
  const warnings = () =>
    app.logLines
      .slice(from)
      .map((line) => JSON.parse(line) as { level: number; msg: string; err?: unknown })
      .filter(({ msg }) => msg.includes('could not be read again'));
  now += 61 * MINUTE_MS;
  for (let round = 0; round < 3; round += 1) expect(await signInPage()).toBe('/authorize');
  await until(() => warnings().length === 1, 'the log says so');
  expect(warnings()).toEqual([
    expect.objectContaining({ level: 40, reason: expect.stringContaining('OpenID provider') }),
  ]);
  expect([await signInPage(), readings()]).toEqual(['/authorize', 1]);
  provider.repair();
  await moveAway();
  now += MINUTE_MS / 2;
  await follows();
  expect(readings()).toBe(1);
});

test('is read again when a request fails, but at most every half minute', async () => {
  await moveAway();
  const failing = async () => {
    const { url, attempt } = await openId.begin(CALLBACK, '/');
    return openId.finish(
      new URL(`${CALLBACK}?code=any&state=${new URL(url).searchParams.get('state')}`),
      { attempt, signedIn: undefined },
    );
  };
  expect(await failing()).toBe('refused');
  expect([await signInPage(), readings()]).toEqual(['/authorize', 0]);
  now += MINUTE_MS / 2;
  await follows();
  expect(readings()).toBe(1);
});
