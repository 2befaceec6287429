/** The test files, for the rows: `attachments('T15')` is the test of that file whose title has these words. */
import { testsOf } from './row.js';

export const attachments = testsOf('rest/attachments.test.ts');
export const claims = testsOf('rest/claims.test.ts');
export const content = testsOf('rest/content.test.ts');
export const remoteContent = testsOf('rest/remote-content.test.ts');
export const directUpload = testsOf('rest/direct-upload.test.ts');
export const storeRefusals = testsOf('rest/store-refusals.test.ts');
export const slowUpload = testsOf('rest/slow-upload.test.ts');
export const scanning = testsOf('rest/scanning.test.ts');
export const fileLinks = testsOf('rest/file-links.test.ts');
export const fileLinkClaims = testsOf('rest/file-link-claims.test.ts');
export const manyLinks = testsOf('rest/file-links-many.test.ts');
export const storages = testsOf('rest/storages.test.ts');
export const storageFiles = testsOf('rest/storage-files.test.ts');
export const projectStorages = testsOf('rest/project-storages.test.ts');
export const resources = testsOf('rest/resources.test.ts');
export const badJson = testsOf('rest/bad-json.test.ts');
export const badMultipart = testsOf('rest/bad-multipart.test.ts');
export const openApi = testsOf('rest/openapi.test.ts');
export const authentication = testsOf('rest/authentication.test.ts');
export const orderOfChecks = testsOf('rest/order-of-checks.test.ts');
export const walker = testsOf('conformance/hal.test.ts');

export const graphAttachments = testsOf('resolvers/attachment.test.ts');
export const graphContainers = testsOf('resolvers/containers.test.ts');
export const graphStorages = testsOf('resolvers/storages.test.ts');
export const attachmentChanged = testsOf('resolvers/attachment-changed.test.ts');
export const fileLinkChanged = testsOf('resolvers/file-link-changed.test.ts');
export const webhooks = testsOf('resolvers/webhooks.test.ts');
export const webhooksOfScans = testsOf('resolvers/webhooks-of-scans.test.ts');

export const sessions = testsOf('auth/sessions.test.ts');
export const openId = testsOf('auth/openid.test.ts');
export const authorizationServer = testsOf('auth/authorization-server.test.ts');
export const attacks = testsOf('auth/attacks.test.ts');
export const connections = testsOf('storages/connection-contract.ts');
export const singleSignOn = testsOf('storages/single-sign-on.test.ts');
export const movedOrigin = testsOf('storages/moved-origin.test.ts');
export const secrets = testsOf('storages/secrets.test.ts');

export const store = testsOf('faults/store.test.ts');
export const config = testsOf('config.test.ts');
export const commandServe = testsOf('cli/serve.test.ts');
export const commandSweep = testsOf('cli/sweep.test.ts');
export const commandToken = testsOf('cli/token.test.ts');
export const commandImport = testsOf('cli/import.test.ts');
export const commandRotateKey = testsOf('cli/rotate-key.test.ts');
