/** The cloud drive of the demo, held against the published description where that is at hand. */
import { startCloudDrive as start, type CloudDrive } from '../../../demo/servers/cloud-drive.js';
import { contract } from './validate-cloud-drive.js';

export * from '../../../demo/servers/cloud-drive.js';
export { validationMissing } from './validate-cloud-drive.js';

export function startCloudDrive(): Promise<CloudDrive> {
  const description = contract();
  return start(description ? { contract: description } : {});
}
