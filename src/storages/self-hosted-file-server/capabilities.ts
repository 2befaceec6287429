import type { Target } from '../adapter.js';
import { at, StorageFailure } from '../failure.js';
import { ocs } from './client.js';

export interface Capabilities {
  /** e.g. `34.0.1` */
  version: string;
  /** e.g. `3.1.1`; undefined where the companion app is missing or switched off. */
  appVersion: string | undefined;
}

/** What the server tells everybody about itself. @throws StorageFailure where it is no such server */
export async function capabilities(target: Target): Promise<Capabilities> {
  const data = await ocs(target, 'v2.php/cloud/capabilities');
  const version = at(data, 'version', 'string');
  if (typeof version !== 'string')
    throw new StorageFailure(
      'unexpected',
      200,
      'What answers there is not a file server of this type.',
    );
  const app = at(data, 'capabilities', 'integration_openproject', 'app_version');
  return { version, appVersion: typeof app === 'string' ? app : undefined };
}
