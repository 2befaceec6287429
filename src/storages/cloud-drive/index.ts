/** The adapter for drives of a cloud tenant: Microsoft Graph and Microsoft Entra ID. */
import type { Adapter } from '../adapter.js';
import { checks } from './checks.js';
import { createFolder } from './create-folder.js';
import { driveFolders as folders } from './drive-folders.js';
import { downloadLink } from './download-link.js';
import { fileLink } from './file-link.js';
import { file } from './file.js';
import { filesInfo } from './files-info.js';
import { folderChecks } from './folder-checks.js';
import { files } from './files.js';
import { applicationToken, authorizationServer } from './oauth.js';
import { openLink } from './open-link.js';
import { uploadLink } from './upload-link.js';
import { user } from './user.js';

export const cloudDrive: Adapter = {
  authorizationServer,
  user,
  openLink,
  filesInfo,
  file,
  files,
  createFolder,
  uploadLink,
  downloadLink,
  fileLink,
  applicationToken,
  folders,
  folderChecks,
  checks,
};
