/** The world of the demo: what `demo/world.json` says. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../demo/', import.meta.url));

export type StorageKey = 'fileServer' | 'drive';

interface StoredFile {
  id: string | number;
  /** In the storage. */
  path: string;
  /** In `demo/files`. */
  file: string;
  /** The name when the file was linked, if it has another one now. */
  linkedAs?: string;
}

export interface DemoStorage {
  name: string;
  /** Ids of the drive. */
  tenantId?: string;
  driveId?: string;
  /** The OAuth client of this service at the demo server. */
  client: { id: string; secret: string };
  /** Who has connected, with the tokens that the demo server accepts after every start. */
  tokens: { [login: string]: { accessToken: string; refreshToken: string } };
  projects: { project: string; folder?: string }[];
  files: StoredFile[];
  /** Files that were linked, and are no longer there. */
  gone: { id: string | number; name: string; mimeType: string }[];
}

/** What happened, in order. */
export type Step = { daysAgo: number; by: string } & (
  | { file: string; name: string; to: string }
  | { comment: string; on: string; files?: { file: string; name: string }[] }
  | { link: (string | number)[]; storage: StorageKey; on: string }
);

export interface World {
  /** In the form of `moorage import`. */
  directory: { [list: string]: object[] };
  storages: { [key in StorageKey]: DemoStorage };
  story: Step[];
}

export const readWorld = async (): Promise<World> =>
  JSON.parse(await readFile(`${folder}world.json`, 'utf8')) as World;

export const demoFile = (name: string): string => `${folder}files/${name}`;
