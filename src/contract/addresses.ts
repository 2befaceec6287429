/** What addresses of other services must be like. The pages say it while somebody types. */

/** `notHttps`: secrets are sent there, so plain http is for this machine only. */
type Mistake = 'unreadable' | 'notHttps' | 'withPassword' | 'withQuery';

/** @returns undefined for an address that is accepted */
export function mistakeInAddress(value: string, { query = false } = {}): Mistake | undefined {
  if (!URL.canParse(value)) return 'unreadable';
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  if (!/^https?:$/.test(protocol)) return 'unreadable';
  if (protocol === 'http:' && !isThisMachine(hostname)) return 'notHttps';
  if (username !== '' || password !== '') return 'withPassword';
  return hash !== '' || (!query && search !== '') ? 'withQuery' : undefined;
}

const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(\.\d+){3}$/.test(hostname);

const GUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const MIN_DRIVE_ID = 17;

/** The tenant of a cloud drive. Personal accounts have none. */
export const isTenantId = (value: string): boolean => GUID.test(value) || value === 'consumers';
export const isDriveId = (value: string): boolean => value.length >= MIN_DRIVE_ID;
