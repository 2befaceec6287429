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
 * Metadata services of clouds. They give secrets to every caller. IPv4: of nearly all clouds, of
 * containers at AWS (two), Alibaba, Oracle, Azure.
 */
const METADATA = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
]);
/** The same over IPv6, in ranges for private use: AWS, Google, Oracle, Scaleway, Akamai. */
const METADATA_NETWORKS = [
  'fd00:ec2::/32',
  'fd20:ce::/32',
  'fd00:c1::/32',
  'fd00:42::/32',
  'fd00:a9fe:a9fe::/48',
].map((network) => ipaddr.IPv6.parseCIDR(network));

function isMetadata(parsed: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (parsed instanceof ipaddr.IPv4) return METADATA.has(parsed.toString());
  // A network can translate any prefix, also a private one, into IPv4 (RFC 6052 section 2.2).
  const translated = new ipaddr.IPv4(parsed.toByteArray().slice(-4));
  return (
    METADATA.has(translated.toString()) ||
    METADATA_NETWORKS.some((network) => parsed.match(network))
  );
}

/**
 * Public addresses are always allowed. Link-local, metadata and special ones never are.
 * @param allowPrivate whether private and loopback addresses are allowed
 */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (isMetadata(parsed)) return false;
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
