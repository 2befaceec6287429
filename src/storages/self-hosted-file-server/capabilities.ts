/** Reads the versions that the file server publishes. */
import type { Target } from '../adapter.js';
import { explained, isRefusal, StorageFailure } from '../failure.js';
import { at } from '../json.js';
import { ocs } from './client.js';

interface Capabilities {
  /** Version of the server, e.g. `34.0.1`. */
  version: string;
  /** Version of the companion app, e.g. `3.1.1`. Undefined if it is missing or disabled. */
  appVersion: string | undefined;
  /** Whether the server has team folders. */
  teamFolders: boolean;
}

/** Needs no credentials. @throws StorageFailure if there is no such server at the origin */
export async function capabilities(target: Target): Promise<Capabilities> {
  const data = await answerOf(target);
  const version = at(data, 'version', 'string');
  if (typeof version !== 'string') throw notThatKind(200);
  const app = at(data, 'capabilities', 'integration_openproject', 'app_version');
  return {
    version,
    appVersion: typeof app === 'string' ? app : undefined,
    teamFolders:
      at(data, 'capabilities', 'integration_openproject', 'groupfolders_enabled') === true,
  };
}

/** Such a server answers everybody. It may be too busy, or stand behind a proxy that refuses us. */
async function answerOf(target: Target): Promise<unknown> {
  try {
    return await ocs(target, 'v2.php/cloud/capabilities');
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    const { status } = error;
    throw isRefusal(status) || status === 429 || status >= 500 ? error : notThatKind(status);
  }
}

const notThatKind = (status: number): StorageFailure =>
  explained(
    'unexpected',
    status,
    'What answers there is not a file server of this type. ' +
      'Check the address, including its path.',
  );
