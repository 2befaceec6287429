/** Decides which IP addresses may be called, against server-side request forgery. */
import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundFailure } from './failure.js';

export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const PRIVATE = new Set<string>(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const DOCUMENTATION_IPV6 = ipaddr.IPv6.parseCIDR('3fff::/20');
/**
 * Metadata services of clouds outside the link-local range: AWS over IPv6, Alibaba, Oracle, Azure.
 * They give secrets to every caller.
 */
const METADATA = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']);

/**
 * Public addresses are always allowed. Link-local, metadata and special ones never are.
 * @param allowPrivate whether private and loopback addresses are allowed
 */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (METADATA.has(parsed.toString())) return false;
  const range = parsed.range();
  if (PRIVATE.has(range)) return allowPrivate;
  // In IPv6 only 2000::/3 is assigned to networks (RFC 4291). Other addresses are translations of
  // IPv4 addresses, or obsolete.
  return (
    range === 'unicast' &&
    (parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_IPV6) && !parsed.match(DOCUMENTATION_IPV6)))
  );
}

export const refusedAddress = (hostname: string): OutboundFailure =>
  new OutboundFailure('address', `${hostname} is at an address that must not be called.`);

/**
 * Resolves names and leaves out addresses that are not allowed.
 * It runs when a connection is made, so a name cannot change after the check (DNS rebinding).
 */
export function checkedLookup(lookup: Lookup, allowPrivate: boolean): LookupFunction {
  const shared = shareLookups(lookup);
  return (hostname, options, callback) => {
    shared(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, allowPrivate));
      const [first] = allowed;
      if (!first) return callback(refusedAddress(hostname), []);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Shares one look-up among all callers with the same name.
 * A look-up blocks a thread of libuv's pool, which the database and the files use too.
 */
function shareLookups(lookup: Lookup): Lookup {
  const waiting = new Map<string, Parameters<Lookup>[2][]>();
  return (hostname, options, callback) => {
    const key = JSON.stringify([hostname, options.family, options.hints]);
    const others = waiting.get(key);
    if (others) return void others.push(callback);
    const callbacks = [callback];
    waiting.set(key, callbacks);
    lookup(hostname, options, (error, addresses) => {
      waiting.delete(key);
      for (const each of callbacks) each(error, addresses);
    });
  };
}
