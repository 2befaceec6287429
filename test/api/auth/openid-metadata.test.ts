/** What the OpenID provider says about itself may change while we run. */
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

/** The path that browsers are sent to. */
const signInPage = async () => new URL((await openId.begin(CALLBACK, '/')).url).pathname;
const readings = () => provider.requests.filter(({ path }) => path === DISCOVERY).length;

/** From now on its pages are elsewhere, which it says when the test lets it. */
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

test('it is read again after an hour, once for all, while the old answers go on', async () => {
  let tell = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await moveAway(() => told);
  now += 59 * MINUTE_MS;
  expect([await signInPage(), readings()]).toEqual(['/authorize', 0]);
  now += 2 * MINUTE_MS;
  expect(await Promise.all([signInPage(), signInPage(), signInPage()])).toEqual([
    '/authorize',
    '/authorize',
    '/authorize',
  ]);
  tell();
  await follows();
  expect(readings()).toBe(1);
});

test('while it cannot be read, what was said before stands; half a minute later it is tried again', async () => {
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

test('a request that fails has it read again before the hour is over, but not more often than every half minute', async () => {
  await moveAway();
  const failing = async () => {
    const { url, attempt } = await openId.begin(CALLBACK, '/');
    return openId.finish(
      new URL(`${CALLBACK}?code=any&state=${new URL(url).searchParams.get('state')}`),
      attempt,
    );
  };
  expect(await failing()).toBe('refused');
  expect([await signInPage(), readings()]).toEqual(['/authorize', 0]);
  now += MINUTE_MS / 2;
  await follows();
  expect(readings()).toBe(1);
});
