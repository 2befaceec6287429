/** Where a bucket and its keys are. */
import type { Target } from '../adapter.js';

type Place = Pick<Target, 'endpoint' | 'bucket'>;

export const base = ({ endpoint }: Pick<Target, 'endpoint'>): string =>
  (endpoint ?? '').replace(/\/+$/, '');

/** The bucket in the path, as every store understands it. */
export const urlOf = (place: Place, key?: string): URL =>
  new URL(`${base(place)}/${place.bucket ?? ''}${key === undefined ? '' : `/${encodedKey(key)}`}`);

/** By RFC 3986, which signatures count on. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const encodedKey = (key: string): string => key.split('/').map(encoded).join('/');
