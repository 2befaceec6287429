import type { Target } from '../adapter.js';

/** Built without asking. Only the literal `false` keeps a file from being opened. */
export const openLink = ({ origin }: Target, folderId: string | undefined): string =>
  folderId === undefined
    ? `${origin}index.php/apps/files`
    : `${origin}index.php/f/${encodeURIComponent(folderId)}?openfile=false`;
