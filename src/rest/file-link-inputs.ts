/** The elements of a bulk request (interface 2.7 and 4.4) as the graph takes them. */
import { MisformattedProperty, PropertyConstraintViolation } from '../errors.js';
import type { JsonObject } from './body.js';

interface FileLinkInput {
  storageId?: string;
  storageUrl?: string | null;
  originData: { [member: string]: string | number | null };
}

const texts = ['name', 'mimeType', 'createdAt', 'lastModifiedAt', 'createdByName', 'lastModifiedByName'] as const;

/** Undefined where there are none. @throws MisformattedProperty for what is no array, PropertyConstraintViolation for members of other types */
export function fileLinkInputs(body: JsonObject): FileLinkInput[] | undefined {
  const elements = member(member(body, '_embedded'), 'elements');
  if (elements === undefined || elements === null) return undefined;
  if (!Array.isArray(elements)) throw new MisformattedProperty(`Invalid format for property '_embedded/elements': Expected format like 'Array', but got '${formatOf(elements)}'.`, 'elements');
  return elements.map(inputOf);
}

function inputOf(element: unknown): FileLinkInput {
  const links = member(element, '_links');
  const [storage, storageUrl] = [member(links, 'storage'), member(links, 'storageUrl')];
  const url = member(storageUrl, 'href');
  return {
    // A link that names no storage names one that does not exist.
    ...(storage !== undefined && storage !== null && { storageId: /^\/api\/v3\/storages\/(\d{1,20})\/?$/.exec(String(member(storage, 'href')))?.[1] ?? '0' }),
    ...(storageUrl !== undefined && { storageUrl: typeof url === 'string' ? url : null }),
    originData: originOf(member(element, 'originData')),
  };
}

function originOf(origin: unknown): FileLinkInput['originData'] {
  const input: FileLinkInput['originData'] = { id: idOf(origin) };
  for (const name of texts) {
    const value = member(origin, name);
    if (value !== undefined && value !== null && typeof value !== 'string') throw wrongType(origin, name, 'a string');
    input[name] = value ?? null;
  }
  const size = member(origin, 'size');
  if (size !== undefined && size !== null && typeof size !== 'number') throw wrongType(origin, 'size', 'a number');
  return { ...input, size: size ?? null };
}

/** Numbers are accepted for ids, and told as texts. */
function idOf(origin: unknown): string | null {
  const id = member(origin, 'id');
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
  if (id === undefined || id === null || typeof id === 'string') return id ?? null;
  throw wrongType(origin, 'id', 'a string or a whole number');
}

function wrongType(origin: unknown, name: string, wanted: string) {
  const called = member(origin, 'name');
  return new PropertyConstraintViolation(`Error attempting to create dependent object: File link - ${typeof called === 'string' ? called : 'unknown'}: The member ${name} must be ${wanted}.`, 'base');
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as { [member: string]: unknown })[name] : undefined;

const formatOf = (value: unknown): string => (typeof value === 'number' ? (Number.isInteger(value) ? 'Integer' : 'Float') : typeof value === 'string' ? 'String' : typeof value === 'boolean' ? 'Boolean' : 'Hash');
