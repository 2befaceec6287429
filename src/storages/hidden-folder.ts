/** Describes a folder above the listed one whose details the user may not see. */
import { FOLDER_TYPE, type FileInfo } from './adapter.js';
import { nameAt } from './parent.js';

/** @param id its path if the id is unknown */
export const hiddenFolder = (location: string, id = location): FileInfo => ({
  id,
  name: nameAt(location),
  mimeType: FOLDER_TYPE,
  size: null,
  createdAt: null,
  lastModifiedAt: null,
  createdByName: null,
  lastModifiedByName: null,
  location,
  permissions: [],
});
