/** Builds the browser address of the file server, or of a folder. */
import type { Target } from '../adapter.js';

/**
 * Makes the address without a request to the server. The server opens the folder, unless the query
 * is exactly `openfile=false`.
 */
export const openLink = ({ origin }: Target, folderId: string | undefined): string =>
  folderId === undefined
    ? `${origin}index.php/apps/files`
    : `${origin}index.php/f/${encodeURIComponent(folderId)}?openfile=false`;
