/** The test files, by names for the rows. `attachments('words')` is the test of that file with these words in its title. */
import { testsOf } from './row.js';

export const attachments = testsOf('api/attachments/attachments.test.ts');
export const claims = testsOf('api/attachments/claims.test.ts');
export const content = testsOf('api/attachments/content.test.ts');
export const remoteContent = testsOf('api/attachments/remote-content.test.ts');
export const directUpload = testsOf('api/attachments/direct-upload.test.ts');
export const storeRefusals = testsOf('api/attachments/store-refusals.test.ts');
export const fullContainer = testsOf('api/attachments/full-container.test.ts');
export const pendingUploads = testsOf('api/attachments/pending-uploads.test.ts');
export const slowAnswers = testsOf('api/protocol/slow-answers.test.ts');
export const pipelining = testsOf('api/protocol/pipelining.test.ts');
export const slowDownload = testsOf('api/attachments/slow-download.test.ts');
export const slowUpload = testsOf('api/attachments/slow-upload.test.ts');
export const fileLinks = testsOf('api/file-links/file-links.test.ts');
export const fileLinkClaims = testsOf('api/file-links/file-link-claims.test.ts');
export const manyLinks = testsOf('api/file-links/file-links-many.test.ts');
export const storages = testsOf('api/storages/storages.test.ts');
export const storageFiles = testsOf('api/storages/storage-files.test.ts');
export const projectStorages = testsOf('api/storages/project-storages.test.ts');
export const resources = testsOf('api/containers/resources.test.ts');
export const badJson = testsOf('api/protocol/bad-json.test.ts');
export const badMultipart = testsOf('api/protocol/bad-multipart.test.ts');
export const dialects = testsOf('api/protocol/dialects.test.ts');
export const openApi = testsOf('api/protocol/openapi.test.ts');
export const authentication = testsOf('api/protocol/authentication.test.ts');
export const orderOfChecks = testsOf('api/protocol/order-of-checks.test.ts');
export const walker = testsOf('api/protocol/hal.test.ts');

export const workPackageLists = testsOf('api/lists/work-packages.test.ts');
export const notified = testsOf('api/notifications/who-is-notified.test.ts');
export const notificationsOverRest = testsOf('api/notifications/rest.test.ts');
export const attachmentLists = testsOf('api/lists/attachment-lists.test.ts');
export const memberships = testsOf('api/lists/memberships.test.ts');
export const projectLists = testsOf('api/lists/project-lists.test.ts');
export const storageLists = testsOf('api/lists/storage-lists.test.ts');
export const viewerFiles = testsOf('api/lists/viewer-files.test.ts');
export const updatedAttachments = testsOf('api/attachments/update-attachment.test.ts');
export const companionApp = testsOf('api/lists/companion-app.test.ts');
export const workPackagesOverRest = testsOf('api/lists/work-packages-over-rest.test.ts');
export const workPackageDetails = testsOf('api/containers/work-package-details.test.ts');

export const graphAttachments = testsOf('api/attachments/attachments-graphql.test.ts');
export const graphContainers = testsOf('api/containers/containers-graphql.test.ts');
export const graphStorages = testsOf('api/storages/storages-graphql.test.ts');
export const uploadKeys = testsOf('api/attachments/upload-key.test.ts');
export const attachmentChanged = testsOf('api/attachments/attachment-changed-subscription.test.ts');
export const fileLinkChanged = testsOf('api/file-links/file-link-changed-subscription.test.ts');
export const webhooks = testsOf('api/webhooks/webhooks.test.ts');
export const webhooksOfScans = testsOf('api/webhooks/webhooks-of-scans.test.ts');

export const sessions = testsOf('api/auth/sessions.test.ts');
export const application = testsOf('api/pages/application.test.ts');
export const scanning = testsOf('background/scanning.test.ts');
export const openId = testsOf('api/auth/openid.test.ts');
export const authorizationServer = testsOf('api/auth/authorization-server.test.ts');
export const applications = testsOf('api/auth/applications.test.ts');
export const attacks = testsOf('api/auth/attacks.test.ts');
export const connections = testsOf('storages/connection-contract.ts');
export const singleSignOn = testsOf('storages/single-sign-on.test.ts');
export const movedOrigin = testsOf('storages/moved-origin.test.ts');
export const secrets = testsOf('storages/secrets.test.ts');

export const store = testsOf('background/store-failures.test.ts');
export const config = testsOf('unit/config.test.ts');
export const commandServe = testsOf('cli/serve.test.ts');
export const commandVerify = testsOf('cli/verify.test.ts');
export const commandSweep = testsOf('cli/sweep.test.ts');
export const commandToken = testsOf('cli/token.test.ts');
export const commandFileModes = testsOf('cli/file-modes.test.ts');
export const commandUser = testsOf('cli/user.test.ts');
export const commandImport = testsOf('cli/import.test.ts');
export const commandRotateKey = testsOf('cli/rotate-key.test.ts');

export const graphqlInput = testsOf('api/protocol/bad-graphql-input.test.ts');
export const costOfDocuments = testsOf('api/protocol/cost-of-documents.test.ts');
export const relay = testsOf('api/protocol/relay.test.ts');
export const nestedLists = testsOf('api/protocol/nested-lists.test.ts');
export const avatars = testsOf('api/users/avatars.test.ts');
export const directoryAvatars = testsOf('api/users/directory-avatars.test.ts');
export const server = testsOf('api/protocol/server.test.ts');
export const graphqlExecution = testsOf('api/protocol/graphql-execution.test.ts');

export const projectFolders = testsOf('storages/folders/project-folders.test.ts');
export const failingFolders = testsOf('storages/folders/failing-storages.test.ts');
export const foldersMeanwhile = testsOf('storages/folders/changes-meanwhile.test.ts');
export const randomFolders = testsOf('storages/folders/random-changes.test.ts');
export const folderDetails = testsOf('storages/folders/folder-details.test.ts');
