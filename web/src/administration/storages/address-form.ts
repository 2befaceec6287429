/** What a page says of an address that is being typed. Only the service knows whether it is right. */
import { isDriveId, isTenantId, mistakeInAddress } from '../../../../src/contract/addresses.js';
import type { WordKey } from '../../words';

type Check = (text: string) => WordKey;

const words = {
  notHttps: 'address.notHttps',
  withPassword: 'address.withPassword',
  withQuery: 'address.withQuery',
} as const;

export const checkOrigin: Check = (text) => {
  const mistake = mistakeInAddress(text);
  if (mistake === undefined) return 'address.fine';
  if (mistake !== 'unreadable') return words[mistake];
  if (URL.canParse(text) && text.includes('://')) return 'address.notHttps';
  return URL.canParse(`https://${text}`) ? 'address.noScheme' : 'address.invalid';
};

export const checkTenant: Check = (text) =>
  isTenantId(text) ? 'address.fine' : 'address.noTenant';

export const checkDrive: Check = (text) => (isDriveId(text) ? 'address.fine' : 'address.noDrive');
