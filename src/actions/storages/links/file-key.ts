/** Identifies the file of a link across storages. */
import type { FileLink } from '../../../models/file-link.js';

export const fileKey = ({
  storageId,
  originId,
}: Pick<FileLink, 'storageId' | 'originId'>): string => `${storageId} ${originId}`;
