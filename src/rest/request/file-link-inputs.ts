/** Turns the elements of a request for file links into the input of the graph. */
import {
  fileLinkProblem,
  MisformattedProperty,
  PropertyConstraintViolation,
} from '../../contract/errors.js';
import { PLACEHOLDER, type Body } from './body-members.js';

interface FileLinkInput {
  storageId?: string;
  storageUrl?: string | null;
  originData: { [member: string]: string | number | null };
}

const texts = [
  'name',
  'mimeType',
  'createdAt',
  'lastModifiedAt',
  'createdByName',
  'lastModifiedByName',
] as const;

/** Stands for an id of the wrong type. A file of every type of storage can have it. */
const ANY_ID = '1';

/** The most elements that are read. GraphQL accepts fewer, so further elements are only counted. */
const MOST_READ = 100;

/** The file links to create; undefined without a list of elements. */
export function fileLinkInputs(body: Body): FileLinkInput[] | undefined {
  const elements = member(member(body.members, '_embedded'), 'elements');
  if (elements === undefined || elements === null) return undefined;
  if (Array.isArray(elements))
    return elements.map((element, index) =>
      index < MOST_READ ? inputOf(body, element) : { originData: {} },
    );
  return body.note(
    new MisformattedProperty(
      "Invalid format for property '_embedded/elements': " +
        `Expected format like 'Array', but got '${formatOf(elements)}'.`,
      'elements',
    ),
  );
}

function inputOf(body: Body, element: unknown): FileLinkInput {
  const links = member(element, '_links');
  const [storage, storageUrl] = [member(links, 'storage'), member(links, 'storageUrl')];
  const [named, url] = [textOf(storage), textOf(storageUrl)];
  return {
    // A link to anything else than a storage becomes an id that no storage has.
    ...(!targetless(storage) && {
      storageId: /^\/api\/v3\/storages\/(\d{1,20})\/?$/.exec(named ?? '')?.[1] ?? '0',
    }),
    ...(!targetless(storageUrl) && { storageUrl: url }),
    originData: originOf(body, member(element, 'originData')),
  };
}

/** The target of a link; null if it is not a text. */
const textOf = (link: unknown): string | null => {
  const href = member(link, 'href');
  return typeof href === 'string' ? href : null;
};

function originOf(body: Body, origin: unknown): FileLinkInput['originData'] {
  const called = member(origin, 'name');
  const wrongType = (name: string, wanted: string) =>
    body.note(
      new PropertyConstraintViolation(
        fileLinkProblem(
          typeof called === 'string' ? called : undefined,
          `The member ${name} must be ${wanted}.`,
        ),
        'base',
      ),
    );
  const text = (name: string) => {
    const value = member(origin, name) ?? null;
    return value === null || typeof value === 'string'
      ? value
      : (wrongType(name, 'a string') ?? (name === 'name' ? PLACEHOLDER : null));
  };
  const [id, size] = [member(origin, 'id') ?? null, member(origin, 'size') ?? null];
  return {
    ...Object.fromEntries(texts.map((name) => [name, text(name)])),
    // Ids may be numbers; answers have them as texts.
    id:
      id === null || typeof id === 'string'
        ? id
        : Number.isSafeInteger(id)
          ? String(id)
          : (wrongType('id', 'a string or a whole number') ?? ANY_ID),
    // 1e400 is parsed as Infinity.
    size:
      size === null || Number.isFinite(size)
        ? (size as number | null)
        : (wrongType('size', 'a number') ?? null),
  };
}

/** Whether a link is absent, or has the target null. */
export const targetless = (link: unknown): boolean =>
  link === undefined || link === null || member(link, 'href') === null;

export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as { [member: string]: unknown })[name]
    : undefined;

const formatOf = (value: unknown): string =>
  typeof value === 'number'
    ? Number.isInteger(value)
      ? 'Integer'
      : 'Float'
    : typeof value === 'string'
      ? 'String'
      : typeof value === 'boolean'
        ? 'Boolean'
        : 'Hash';
