/** A bucket as a storage. Slashes in keys separate folders, and users sign in with OAuth 2. */
import type { Adapter } from '../adapter.js';
import { checks } from './checks.js';
import { createFolder } from './create-folder.js';
import { downloadLink } from './download-link.js';
import { fileLink } from './file-link.js';
import { file } from './file.js';
import { filesInfo } from './files-info.js';
import { files } from './files.js';
import { authorizationServer } from './oauth.js';
import { openLink } from './open-link.js';
import { probe } from './probe.js';
import { uploadLink } from './upload-link.js';
import { user } from './user.js';

export const objectBucket: Adapter = {
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
  probe,
  checks,
};
