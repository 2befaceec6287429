import type { Target } from '../adapter.js';
import { base, encoded } from './address.js';
import { prefixOf } from './keys.js';

/** The console of the store. Built without a request. */
export const openLink = (target: Target, folderId: string | undefined): string =>
  `${base(target)}/console/${target.bucket}?prefix=${encoded(prefixOf(folderId ?? '/'))}`;
