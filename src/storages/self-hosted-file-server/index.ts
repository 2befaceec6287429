/** The adapter for self-hosted file servers: WebDAV, OCS and the companion app. */
import type { Adapter } from '../adapter.js';
import { checkPassword } from './application-password.js';
import { capabilities } from './capabilities.js';
import { checks } from './checks.js';
import { createFolder } from './create-folder.js';
import { downloadLink } from './download-link.js';
import { fileLink } from './file-link.js';
import { file } from './file.js';
import { filesInfo } from './files-info.js';
import { folderChecks } from './folder-checks.js';
import { files } from './files.js';
import { authorizationServer } from './oauth.js';
import { openLink } from './open-link.js';
import { uploadLink } from './upload-link.js';
import { teamFolders as folders } from './team-folder.js';
import { user } from './user.js';

export const selfHostedFileServer: Adapter = {
  authorizationServer,
  user,
  openLink,
  checkPassword,
  checks,
  filesInfo,
  file,
  files,
  createFolder,
  uploadLink,
  downloadLink,
  fileLink,
  folders,
  folderChecks,
  probe: async (target) => void (await capabilities(target)),
};
