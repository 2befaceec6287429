/** Reads the filters and the page from the query of a list. */
import type { Request } from 'express';
import { InvalidQuery } from '../../contract/errors.js';

const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 1000;
/** Beyond the end of every list. */
const LAST_PAGE = 1_000_000_000;

export interface PageOfQuery {
  /** 1-based number of the page. */
  offset: number;
  pageSize: number;
}

/**
 * The page that a request asks for. Numbers out of range are clamped. A negative
 * size means the largest.
 * @throws InvalidQuery for anything but a whole number
 */
export function pageOf(req: Request, defaultSize = DEFAULT_PAGE_SIZE): PageOfQuery {
  const pageSize = whole(req, 'pageSize') ?? defaultSize;
  return {
    offset: Math.min(Math.max(1, whole(req, 'offset') ?? 1), LAST_PAGE),
    pageSize: pageSize < 0 ? MAX_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE),
  };
}

function whole(req: Request, name: string): number | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || !/^-?\d+$/.test(value))
    throw new InvalidQuery(`The query parameter '${name}' is not a whole number.`, name);
  return Number(value);
}

/**
 * The values of each filter, from `[{"storageId": {"operator": "=", "values": ["3"]}}]`.
 * One element may hold several filters.
 * @param known names of filters, by their accepted spellings
 * @throws InvalidQuery for anything else
 */
export function filtersOf<Name extends string>(
  req: Request,
  known: { readonly [spelling: string]: Name },
): { [name in Name]?: string[] } {
  const text = req.query['filters'];
  if (text === undefined || text === '') return {};
  const found: { [name in Name]?: string[] } = {};
  for (const element of parsed(text)) {
    if (!isObject(element)) throw malformed();
    for (const [spelling, condition] of Object.entries(element)) {
      const name = Object.hasOwn(known, spelling) ? known[spelling] : undefined;
      if (name === undefined)
        throw new InvalidQuery(`Filter ${spelling.slice(0, 100)} does not exist.`, 'filters');
      if (found[name]) throw new InvalidQuery(`Filter ${spelling} is given twice.`, 'filters');
      const { operator, values } = isObject(condition) ? condition : {};
      if (operator !== '=')
        throw new InvalidQuery(`Filter ${spelling} takes the operator "=".`, 'filters');
      if (
        !Array.isArray(values) ||
        values.length === 0 ||
        !values.every((value) => typeof value === 'string' || typeof value === 'number')
      )
        throw new InvalidQuery(`Filter ${spelling} takes an array of values.`, 'filters');
      found[name] = values.map(String);
    }
  }
  return found;
}

export const FILTERS_MALFORMED = "The query parameter 'filters' is missing or malformed.";

const malformed = () => new InvalidQuery(FILTERS_MALFORMED, 'filters');

function parsed(text: unknown): unknown[] {
  try {
    const value: unknown = JSON.parse(String(text));
    if (Array.isArray(value)) return value;
  } catch {
    // Not JSON: refused below.
  }
  throw malformed();
}

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
