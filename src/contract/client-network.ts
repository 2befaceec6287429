/** The network of a client. Limits for callers without an account count a network as one caller. */
import ipaddr from 'ipaddr.js';

/** What one customer of a provider usually has: an IPv4 /24 network, or an IPv6 /56 network. */
const BITS = { ipv4: 24, ipv6: 56 };

/**
 * @param address with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`
 * @returns the first address of the client's network; `unknown` if the text is no IP address. A
 *   client may have written the text, in `X-Forwarded-For`.
 */
export function clientNetwork(address: string): string {
  const bare = address.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  // The zone of an IPv6 address (`%eth0`) can be any text, so the client could choose the network.
  if (!ipaddr.isValid(bare) || bare.includes('%')) return 'unknown';
  // An IPv4 address that is mapped into IPv6 counts as IPv4.
  const parsed = ipaddr.process(bare);
  const kind = parsed.kind();
  const { IPv4, IPv6 } = ipaddr;
  const cidr = `${parsed.toNormalizedString()}/${BITS[kind]}`;
  return (kind === 'ipv4' ? IPv4 : IPv6).networkAddressFromCIDR(cidr).toString();
}
