/** Addresses of others: which may be called, and when two are the same. */
import { InvalidQuery } from '../contract/errors.js';

/** @returns the address, or what is wrong with it; secrets travel there, so it is https or this machine */
export function validateAddress(
  label: string,
  value: string,
  { query = false } = {},
): URL | string {
  if (!URL.canParse(value)) return `${label} is not a valid URL.`;
  const url = new URL(value);
  if (
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== '' ||
    (!query && url.search !== '')
  )
    return `${label} is not a valid URL.`;
  return url.protocol === 'http:' && !isThisMachine(url.hostname)
    ? `${label} must be reached by https; plain http is accepted for this machine only.`
    : url;
}

const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(\.\d+){3}$/.test(hostname);

/** Host, port and path: two origins are the same whatever their scheme, the case of the host, a default port and a slash at the end. */
export const originKey = (url: URL): string => `${url.host}${pathOf(url).slice(0, -1)}`;

/** With one slash at its end and between its segments: an address that begins with two names a host. */
export const pathOf = ({ pathname }: URL): string => `${pathname}/`.replace(/\/+/g, '/');

/** Of an address as clients send it; those of storages are shorter. */
const MAX_ADDRESS = 4_000;

/** Clients send addresses as they are, percent-encoded, or encoded twice. @throws InvalidQuery for what is no address */
export function keyOf(url: string): string {
  for (let text = url.length > MAX_ADDRESS ? '' : url, times = 0; times < 3; times += 1) {
    if (URL.canParse(text) && /^https?:/i.test(text)) return originKey(new URL(text));
    try {
      text = decodeURIComponent(text);
    } catch {
      break;
    }
  }
  throw new InvalidQuery('Filter storageUrl has a value that is no address.', 'filters');
}
