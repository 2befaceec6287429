/** The health checks of a self-hosted file server, from its host to its secrets. */
import type { HttpAnswer } from '../../outbound/http.js';
import type { HealthCheckResult, HealthCheck, HealthCheckInput } from '../adapter.js';
import { isUnauthorized } from '../failure.js';
import { at, jsonObject } from '../json.js';
import { certificateCheck, clockCheck, hostCheck } from '../reach.js';
import { checkPassword } from './application-password.js';
import { capabilities } from './capabilities.js';
import { authorizationServer } from './oauth.js';

/** The oldest versions whose protocol is known. */
const MIN_VERSION = '30.0.0';
const MIN_APP_VERSION = '2.11.0';

const statusUrl = ({ target }: HealthCheckInput) => `${target.origin}status.php`;

async function version(input: HealthCheckInput): Promise<HealthCheckResult> {
  const answer = await input.target.send({
    method: 'GET',
    url: statusUrl(input),
    maxBytes: 64 * 1024,
  });
  const status = await statusOf(answer);
  const found = at(status, 'versionstring');
  if (typeof found !== 'string')
    return {
      code: 'version_unknown',
      hint:
        `The address of status.php answers with status ${answer.status} and no version. ` +
        'Check that the origin is the address of the file server, including its path.',
    };
  if (at(status, 'maintenance') === true)
    return {
      code: 'version_maintenance',
      hint: 'The file server is in maintenance mode. Switch that off there.',
    };
  if (isOlder(found, MIN_VERSION))
    return {
      code: 'version_outdated',
      hint: `The file server has version ${found}; at least ${MIN_VERSION} is needed.`,
    };
  return { hint: `Version ${found}.` };
}

async function statusOf(answer: HttpAnswer): Promise<unknown> {
  try {
    return await jsonObject(answer);
  } catch {
    return undefined;
  }
}

async function companionApp({ target }: HealthCheckInput): Promise<HealthCheckResult> {
  const { appVersion } = await capabilities(target);
  if (appVersion === undefined)
    return {
      code: 'companion_app_missing',
      hint: 'The integration app is not installed or switched off. Install and enable it there.',
    };
  if (isOlder(appVersion, MIN_APP_VERSION))
    return {
      code: 'companion_app_outdated',
      hint:
        `The integration app has version ${appVersion}; ` +
        `update it to ${MIN_APP_VERSION} or later.`,
    };
  return { hint: `Version ${appVersion}.` };
}

/** If the server knows the client, it redirects to the sign-in. If not, it answers with a page. */
async function client({ target, clientId, sso }: HealthCheckInput): Promise<HealthCheckResult> {
  if (sso) return { skipped: true, hint: 'Tokens come from the OpenID provider.' };
  if (clientId === undefined)
    return {
      code: 'client_missing',
      hint: 'There are no client credentials. Set those that the integration app shows.',
    };
  const query = new URLSearchParams({ client_id: clientId, response_type: 'code', state: 'check' });
  const { status } = await target.send({
    method: 'GET',
    url: `${authorizationServer(target).authorizationEndpoint}?${query.toString()}`,
    maxBytes: 1024 * 1024,
  });
  if (status === 303 || status === 302) return { hint: 'The file server knows the client.' };
  return {
    code: 'client_refused',
    hint:
      'The file server does not know the client ID. ' +
      'Set the client credentials that the integration app shows.',
  };
}

async function applicationPassword({
  target,
  applicationPassword: password,
}: HealthCheckInput): Promise<HealthCheckResult> {
  if (password === undefined)
    return { skipped: true, hint: 'There is none: folders of projects are not managed.' };
  try {
    await checkPassword(target, password);
    return { hint: 'The file server accepts it.' };
  } catch (error) {
    if (isUnauthorized(error))
      return {
        code: 'application_password_wrong',
        hint:
          'The file server refuses the application password. ' +
          'Make a new one in the integration app and set it here.',
      };
    throw error;
  }
}

const isOlder = (version: string, least: string): boolean =>
  version.localeCompare(least, 'en', { numeric: true }) < 0;

export const checks: readonly HealthCheck[] = [
  hostCheck(statusUrl),
  certificateCheck(statusUrl),
  clockCheck(statusUrl),
  { check: 'version', needs: ['host', 'tls'], run: version },
  { check: 'companion_app', needs: ['version'], run: companionApp },
  { check: 'client', needs: ['version'], run: client },
  { check: 'application_password', needs: ['version'], run: applicationPassword },
];
