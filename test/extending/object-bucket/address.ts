/** Addresses of a bucket and its keys. */
import type { Target } from '../adapter.js';

type Place = Pick<Target, 'endpoint' | 'bucket'>;

export const base = ({ endpoint }: Pick<Target, 'endpoint'>): string =>
  (endpoint ?? '').replace(/\/+$/, '');

/** The bucket is in the path, which every store supports. */
export const urlOf = (place: Place, key?: string): URL =>
  new URL(`${base(place)}/${place.bucket ?? ''}${key === undefined ? '' : `/${encodedKey(key)}`}`);

/** Encoded by RFC 3986, as signatures need it. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const encodedKey = (key: string): string => key.split('/').map(encoded).join('/');
