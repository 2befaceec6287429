/** Runs the health checks of a storage. */
import type { Context } from '../../../context.js';
import { AuthenticationMethod, Storage } from '../../../models/storage.js';
import {
  CheckStatus,
  type StorageCheck,
  type StorageHealth,
} from '../../../models/storage-health.js';
import { demandAdmin } from '../../../policies/can.js';
import { SealBroken } from '../../../secrets/keyring.js';
import type { HealthCheck, HealthCheckInput } from '../../../storages/adapter.js';
import { adapterFor } from '../../../storages/index.js';
import { isOutbound } from '../access/outbound-error.js';
import { wantedFolders } from '../project-folders/wanted-folders.js';
import { APPLICATION_PASSWORD, CLIENT_SECRET } from '../access/reach-storage.js';
import { targetOf } from '../access/storage-target.js';
import { ownPlaces, readClocks } from './read-clocks.js';
import { connectionChecks } from './connection-checks.js';

/**
 * Runs the checks one after another. A check is skipped if one that it needs did not succeed.
 * Each result has a stable code and a hint that says what to do.
 * @throws MissingPermission for everybody but administrators
 */
export async function checkStorageHealth(
  context: Context,
  storage: Storage,
): Promise<StorageHealth> {
  demandAdmin(context);
  let input: HealthCheckInput;
  try {
    input = await inputOf(context, storage);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return {
      checks: [
        {
          check: 'secrets',
          code: 'secrets_unreadable',
          status: CheckStatus.FAILED,
          hint:
            `${error.message} Set the right key. Or set the client credentials and the ` +
            'application password again.',
        },
      ],
      checkedAt: context.clock().toISOString(),
    };
  }
  const { checks, folderChecks = [] } = adapterFor(storage.type);
  const all = [
    ...checks,
    ...connectionChecks(context, storage),
    ...(input.wanted ? folderChecks : []),
  ];
  const results = await runChecks(context, all, input);
  // The pages then show at once that it was repaired.
  if (storage.failingSince !== null && !hasFailed(results.slice(0, checks.length)))
    await noteTrial(context, storage, true);
  return { checks: results, checkedAt: context.clock().toISOString() };
}

/** Tries what needs no person: whether the storage answers and takes our credentials. */
export async function tryStorage(context: Context, storage: Storage): Promise<void> {
  const works = await worksNow(context, storage);
  await noteTrial(context, storage, works);
}

async function worksNow(context: Context, storage: Storage): Promise<boolean> {
  try {
    const input = await inputOf(context, storage, { withFolders: false });
    return !hasFailed(await runChecks(context, adapterFor(storage.type).checks, input));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return false;
  }
}

const hasFailed = (results: readonly StorageCheck[]): boolean =>
  results.some(({ status }) => status === CheckStatus.FAILED);

/** Keeps since when a storage fails, and when it last worked. */
async function noteTrial({ db, clock }: Context, { id }: Storage, works: boolean): Promise<void> {
  const now = clock().toISOString();
  await Storage.query(db.write)
    .findById(id)
    .patch(
      works
        ? { workedAt: now, failingSince: null }
        : { failingSince: Storage.raw('coalesce(failing_since, ?)', [now]) },
    );
}

async function runChecks(
  context: Context,
  checks: readonly HealthCheck[],
  input: HealthCheckInput,
): Promise<StorageCheck[]> {
  const results: StorageCheck[] = [];
  const passed = new Set<string>();
  for (const check of checks) {
    const missing = check.needs.find((need) => !passed.has(need));
    const result =
      missing === undefined
        ? await runCheck(context, check, input)
        : {
            check: check.check,
            code: check.check,
            status: CheckStatus.SKIPPED,
            hint: `It needs the check ${missing}.`,
          };
    results.push(result);
    if (missing === undefined && result.status !== CheckStatus.FAILED) passed.add(check.check);
  }
  return results;
}

/** @throws SealBroken if no key opens a secret of the storage */
async function inputOf(
  context: Context,
  storage: Storage,
  { withFolders = true } = {},
): Promise<HealthCheckInput> {
  const { keyring, loaders } = context;
  const credentials = await loaders.clientCredentials.load(storage.id);
  const { folders } = adapterFor(storage.type);
  return {
    ...(withFolders &&
      folders &&
      storage.canManageFolders && { wanted: await wantedFolders(context, storage, folders) }),
    target: targetOf(context, storage),
    otherClocks: async () => readClocks(context, await ownPlaces(context)),
    sso: storage.authenticationMethod === AuthenticationMethod.OAUTH2_SSO,
    clientId: credentials?.clientId,
    clientSecret: credentials && keyring.open(credentials.clientSecret, CLIENT_SECRET),
    applicationPassword:
      storage.applicationPassword === null
        ? undefined
        : keyring.open(storage.applicationPassword, APPLICATION_PASSWORD),
  };
}

async function runCheck(
  { log }: Context,
  { check, run }: HealthCheck,
  input: HealthCheckInput,
): Promise<StorageCheck> {
  try {
    const result = await run(input);
    if ('code' in result)
      return { check, code: result.code, status: CheckStatus.FAILED, hint: result.hint };
    return {
      check,
      code: check,
      status: result.skipped ? CheckStatus.SKIPPED : CheckStatus.OK,
      hint: result.hint,
    };
  } catch (error) {
    if (!isOutbound(error)) log.error({ err: error, check }, 'a check of a storage broke');
    return {
      check,
      code: `${check}_error`,
      status: CheckStatus.FAILED,
      hint: isOutbound(error) ? error.message : 'The check could not be made.',
    };
  }
}
