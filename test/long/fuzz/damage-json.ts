/** Changes one place of a JSON text, at any depth. */
import type { Random } from '../crash/random.js';
import { hostileJson, hostileText, oneOf } from './hostile-values.js';

type Holder = { [member: string]: unknown } | unknown[];

/** A placeholder for text that is no JSON value. It is replaced after serialisation. */
const MARK = '\u0001planted\u0001';

/** @returns the same text if it is no JSON, or empty */
export function scarJson(random: Random, text: string): string {
  const root = parsed(text);
  const places = placesIn(root);
  if (places.length === 0) return text;
  const telling = places.filter(([, name]) => TELLING.has(name.toLowerCase()));
  const [holder, key] = oneOf(
    random,
    telling.length > 0 && random.integer(2) === 0 ? telling : places,
  );
  const planted = oneOf(random, scars)(random, holder, key, places);
  const changed = written(root) ?? text;
  return planted === undefined ? changed : changed.replace(JSON.stringify(MARK), () => planted);
}

/** Members that adapters use. */
const TELLING = new Set([
  'id',
  'name',
  'path',
  'size',
  'mtime',
  'ctime',
  'mimetype',
  'statuscode',
  'data',
  'meta',
  'url',
  'token',
  'string',
  'app_version',
  'versionstring',
  'dav_permissions',
  'owner_name',
  'status',
  'headers',
  'body',
  'responses',
  'value',
  'retry-after',
  '@odata.nextlink',
  'weburl',
  'uploadurl',
  'parentreference',
  'folder',
  'file',
  'root',
  'package',
  'childcount',
  'createddatetime',
  'filesysteminfo',
  'displayname',
  'access_token',
  'expires_in',
  'error_codes',
]);

type Place = readonly [holder: Holder, key: string];
/** @returns JSON text, with the text of the placeholder if there is one */
type Scar = (
  random: Random,
  holder: Holder,
  key: string,
  places: readonly Place[],
) => string | undefined;

const set = (holder: Holder, key: string, value: unknown) =>
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
const get = (holder: Holder, key: string): unknown =>
  (holder as { [member: string]: unknown })[key];
const plant: Scar = (random, holder, key) => {
  set(holder, key, MARK);
  return hostileJson(random);
};

const scars: readonly Scar[] = [
  plant,
  plant,
  plant,
  (random, holder, key) => {
    set(holder, key, hostileText(random));
    return undefined;
  },
  (_random, holder, key) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return undefined;
  },
  (_random, holder, key) => {
    if (Array.isArray(holder)) holder.push(get(holder, key));
    else set(holder, `${key} `, get(holder, key));
    return undefined;
  },
  // Swaps copies of two places, because one may contain the other.
  (random, holder, key, places) => {
    const [other, otherKey] = oneOf(random, places);
    const [here, there] = [written(get(holder, key)), written(get(other, otherKey))];
    if (here === undefined || there === undefined) return undefined;
    set(holder, key, JSON.parse(there));
    set(other, otherKey, JSON.parse(here));
    return undefined;
  },
  (_random, holder, key) => {
    set(holder, key, [get(holder, key)]);
    return undefined;
  },
  (_random, holder, key) => {
    const value = get(holder, key);
    set(holder, key, typeof value === 'string' ? Number(value) || 0 : (written(value) ?? ''));
    return undefined;
  },
];

/** Undefined if the value is too deep to be written. */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function placesIn(value: unknown): Place[] {
  const places: Place[] = [];
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one !== 'object' || one === null) continue;
    for (const [key, inner] of Object.entries(one)) {
      places.push([one as Holder, key]);
      waiting.push(inner);
    }
  }
  return places;
}
