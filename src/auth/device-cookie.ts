/**
 * A cookie of browsers that have signed in before. Wrong passwords from such a browser have a
 * counter of their own, so that others cannot lock its owner out (OWASP "device cookies").
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Keyring } from '../secrets/keyring.js';

interface DeviceCookieNeeds {
  keyring: Keyring;
  clock: () => Date;
}

interface Device {
  id: string;
  /** Hashes of the logins that have signed in here, the last one first. */
  logins: string[];
  /** Milliseconds since 1970. */
  until: number;
}

/** The longest lifetime that browsers accept (RFC 6265bis section 5.5). */
export const DEVICE_SECONDS = 400 * 86_400;
const PURPOSE = 'device cookie';
/** The most logins that one cookie remembers. Several people may use the same browser. */
const MAX_LOGINS = 8;

/** @returns the id of the browser, if this login has signed in there */
export function deviceOf(
  needs: DeviceCookieNeeds,
  cookie: string | undefined,
  login: string,
): string | undefined {
  const device = open(needs, cookie);
  return device?.logins.includes(hashOf(login)) ? device.id : undefined;
}

/** @returns the cookie after a sign-in with this login; the browser keeps its id */
export function deviceCookie(
  needs: DeviceCookieNeeds,
  cookie: string | undefined,
  login: string,
): string {
  const before = open(needs, cookie);
  const hash = hashOf(login);
  const others = before?.logins.filter((one) => one !== hash) ?? [];
  const device: Device = {
    id: before?.id ?? randomBytes(16).toString('base64url'),
    logins: [hash, ...others].slice(0, MAX_LOGINS),
    until: needs.clock().getTime() + DEVICE_SECONDS * 1000,
  };
  return needs.keyring.seal(JSON.stringify(device), PURPOSE);
}

function open(
  { keyring, clock }: DeviceCookieNeeds,
  cookie: string | undefined,
): Device | undefined {
  if (cookie === undefined) return undefined;
  try {
    const device = JSON.parse(keyring.open(cookie, PURPOSE)) as Device;
    return device.until > clock().getTime() ? device : undefined;
  } catch {
    return undefined;
  }
}

/** A plain hash, because the cookie is encrypted. A key would end all cookies when it is rotated. */
const hashOf = (login: string): string =>
  createHash('sha256').update(login.toLowerCase()).digest('base64url');
