/** Addresses that an administrator has us call. */

/** @returns the address, or what is wrong with it; secrets travel there, so it is https or this machine */
export function validateAddress(label: string, value: string, { query = false } = {}): URL | string {
  if (!URL.canParse(value)) return `${label} is not a valid URL.`;
  const url = new URL(value);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '' || (!query && url.search !== '')) return `${label} is not a valid URL.`;
  return url.protocol === 'http:' && !isThisMachine(url.hostname) ? `${label} must be reached by https; plain http is accepted for this machine only.` : url;
}

const isThisMachine = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
