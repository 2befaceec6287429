/** URNs of storages: those of every profile are accepted, those of the configured one written. */
import type { Profile } from '../../contract/profiles.js';
import { storageTypeNames, storageTypes, type StorageType } from '../../storages/types.js';
import { profiles } from '../../contract/profiles.js';

const words = Object.values(profiles)
  .map(({ urnWord }) => urnWord)
  .join('|');

const methods = ['TwoWayOAuth2', 'OAuth2SSO'] as const;
type Method = (typeof methods)[number];

const own = (name: string) => new RegExp(`^urn:(?:${words}):api:v3:storages:${name}$`);
const TYPE = own('(\\w+)');
const METHOD = own('authenticationMethod:(\\w+)');

/** The type that a URN names; null for an unknown URN, undefined without one. */
export function storageType(urn: string | null | undefined): StorageType | null | undefined {
  if (urn === undefined) return undefined;
  const name = TYPE.exec(urn ?? '')?.[1];
  return (
    storageTypeNames.find((type) =>
      Object.values(storageTypes[type].names).some((called) => called === name),
    ) ?? null
  );
}

/** The method that a URN names; null for an unknown URN, undefined without one. */
export function authenticationMethod(urn: string | null | undefined): Method | null | undefined {
  if (urn === undefined) return undefined;
  const name = METHOD.exec(urn ?? '')?.[1];
  return methods.find((method) => method === name) ?? null;
}

export const urn = ({ urnWord }: Profile, name: string): string => `urn:${urnWord}:api:v3:${name}`;
export const storageUrn = (profile: Profile, name: string): string =>
  urn(profile, `storages:${name}`);
