import type { Target } from '../adapter.js';
import { encoded } from './address.js';
import { openLink } from './open-link.js';

/** Built without a request. */
export function fileLink(target: Target, id: string, at: 'file' | 'location'): string {
  const cut = id.replace(/\/$/, '').lastIndexOf('/') + 1;
  const folder = openLink(target, `/${id.slice(0, cut)}`);
  return at === 'location' ? folder : `${folder}&key=${encoded(id)}`;
}
