/**
 * The contract with servers that are known only by their addresses: real ones, if CONTRACT_SELF_HOSTED_URL or
 * CONTRACT_CLOUD_DRIVE_URL is set, else fakes in another process.
 */
import { fileContract } from './file-contract.js';
import { endFakesAfterAll, environmentOf, wordFor } from './live-environment.js';
import { liveCloudDrive, liveFileServer } from './live-remotes.js';

endFakesAfterAll();

fileContract(`${wordFor('CONTRACT_SELF_HOSTED_URL')} self-hosted file server`, async () =>
  liveFileServer(await environmentOf('CONTRACT_SELF_HOSTED_URL')),
);
fileContract(`${wordFor('CONTRACT_CLOUD_DRIVE_URL')} cloud drive`, async () =>
  liveCloudDrive(await environmentOf('CONTRACT_CLOUD_DRIVE_URL')),
);
