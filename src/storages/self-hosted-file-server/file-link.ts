/** Builds the browser address of a file, or of its folder. */
import type { Target } from '../adapter.js';

/** Needs no request. Only the literal `openfile=false` keeps the server from opening the file. */
export const fileLink = ({ origin }: Target, id: string, at: 'file' | 'location'): string =>
  `${origin}index.php/f/${encodeURIComponent(id)}?openfile=${at === 'file' ? 1 : 'false'}`;
