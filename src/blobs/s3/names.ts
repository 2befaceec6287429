/** Names of objects, and the keys that they stand for. */
import { checkedKey, STAGING } from '../store.js';

/** Prefix of finished blobs. Staging keys are object names without a further prefix. */
export const FINISHED = 'files/';

export const nameOf = (key: string) => (checkedKey(key).startsWith(STAGING) ? key : FINISHED + key);

/** @returns undefined for an object that this service did not store */
export function blobKeyOf(name: string): string | undefined {
  const key = name.startsWith(FINISHED) ? name.slice(FINISHED.length) : name;
  try {
    return nameOf(key) === name ? key : undefined;
  } catch {
    return undefined;
  }
}
