/** Builds the browser address of the file server, or of a folder. */
import type { Target } from '../adapter.js';

/** Needs no request. Only the literal `openfile=false` keeps the server from opening the folder. */
export const openLink = ({ origin }: Target, folderId: string | undefined): string =>
  folderId === undefined
    ? `${origin}index.php/apps/files`
    : `${origin}index.php/f/${encodeURIComponent(folderId)}?openfile=false`;
