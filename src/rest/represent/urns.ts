/** URNs of storages: both dialects are understood, the configured one is spoken (decisions 1). */
import type { Profile } from '../../contract/profiles.js';
import { profiles } from '../../contract/profiles.js';

const words = Object.values(profiles).map(({ urnWord }) => urnWord).join('|');

type StorageType = keyof Profile['storageTypes'];
const methods = ['TwoWayOAuth2', 'OAuth2SSO'] as const;
type Method = (typeof methods)[number];

const own = (name: string) => new RegExp(`^urn:(?:${words}):api:v3:storages:${name}$`);
const TYPE = own('(\\w+)');
const METHOD = own('authenticationMethod:(\\w+)');

/** The type that a URN names, null for none; undefined where nothing was given. */
export function storageType(urn: string | null | undefined): StorageType | null | undefined {
  if (urn === undefined) return undefined;
  const name = TYPE.exec(urn ?? '')?.[1];
  const types = Object.values(profiles).flatMap(({ storageTypes }) => Object.entries(storageTypes)) as [StorageType, string][];
  return types.find(([, called]) => called === name)?.[0] ?? null;
}

/** The method that a URN names, null for none; undefined where nothing was given. */
export function authenticationMethod(urn: string | null | undefined): Method | null | undefined {
  if (urn === undefined) return undefined;
  const name = METHOD.exec(urn ?? '')?.[1];
  return methods.find((method) => method === name) ?? null;
}

export const urn = ({ urnWord }: Profile, name: string): string => `urn:${urnWord}:api:v3:${name}`;
export const storageUrn = (profile: Profile, name: string): string => urn(profile, `storages:${name}`);
