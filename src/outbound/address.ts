/** Validates and compares addresses of other servers. */
import { mistakeInAddress } from '../contract/addresses.js';
import { InvalidQuery } from '../contract/errors.js';

/**
 * Checks an address of a server. It must be https, except on this machine, because secrets are sent
 * there.
 * @param label the name of the property, for the message
 * @returns the address, or a message that says what is wrong
 */
export function validateAddress(
  label: string,
  value: string,
  { query = false } = {},
): URL | string {
  const mistake = mistakeInAddress(value, { query });
  if (mistake === undefined) return new URL(value);
  return mistake === 'notHttps'
    ? `${label} must be reached by https; plain http is accepted for this machine only.`
    : `${label} is not a valid URL.`;
}

/**
 * A key of a storage's origin: host, port and path. The scheme, the case of the host, a default
 * port and a slash at the end make no difference.
 */
export const originKey = (url: URL): string => `${url.host}${pathOf(url).slice(0, -1)}`;

/**
 * The path with a slash at its end and with single slashes inside. A relative address with two
 * slashes at its start would name a host.
 */
export const pathOf = ({ pathname }: URL): string => `${pathname}/`.replace(/\/+/g, '/');

/** Longest address in a filter; storages have shorter ones. */
const MAX_ADDRESS = 4_000;

/**
 * The `originKey` of the filter `storageUrl`. Clients send the address as it is, percent-encoded,
 * or encoded twice.
 * @throws InvalidQuery when the value is no address
 */
export function storageUrlKey(url: string): string {
  const once = decoded(url);
  const address = [url, once, once && decoded(once)].find(isAddress);
  if (address === undefined || url.length > MAX_ADDRESS)
    throw new InvalidQuery('Filter storageUrl has a value that is no address.', 'filters');
  return originKey(new URL(address));
}

const isAddress = (text: string | undefined): text is string =>
  text !== undefined && URL.canParse(text) && /^https?:/i.test(text);

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
