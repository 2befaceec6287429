import type { Target } from '../adapter.js';

/** Built without asking. Only the literal `false` keeps a file from being opened. */
export const fileLink = ({ origin }: Target, id: string, at: 'file' | 'location'): string =>
  `${origin}index.php/f/${encodeURIComponent(id)}?openfile=${at === 'file' ? 1 : 'false'}`;
