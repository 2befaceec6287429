/** Reads the filters and the page from the query of a list. */
import type { Request } from 'express';
import { InvalidQuery } from '../../contract/errors.js';
import { MAX_ORDERS } from '../../contract/limits.js';

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
 * size means the largest. Anything but a whole number counts as absent.
 */
export function pageOf(req: Request, defaultSize = DEFAULT_PAGE_SIZE): PageOfQuery {
  const pageSize = whole(req, 'pageSize') ?? defaultSize;
  return {
    offset: Math.min(Math.max(1, whole(req, 'offset') ?? 1), LAST_PAGE),
    pageSize: pageSize < 0 ? MAX_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE),
  };
}

function whole(req: Request, name: string): number | undefined {
  const value = textOf(req, name);
  return value !== undefined && /^-?\d+$/.test(value) ? Number(value) : undefined;
}

/** @throws InvalidQuery for anything but `true` and `false` */
export function flagOf(req: Request, name: string): boolean | undefined {
  const value = textOf(req, name);
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new InvalidQuery(`The query parameter '${name}' is not true or false.`, name);
}

/** A query parameter as the client sent it; undefined for an empty one. */
export const textOf = (req: Request, name: string): string | undefined => {
  const value = req.query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** One condition of the query parameter `filters`. */
export interface FilterCondition<Name extends string> {
  name: Name;
  operator: string;
  /** Absent or null values are an empty list. */
  values: string[];
}

/**
 * The conditions in `[{"storageId": {"operator": "=", "values": ["3"]}}]`. One element may hold
 * several. A list without the parameter has no conditions.
 * @param known names of filters, by their accepted spellings
 * @param demandsArrays whether a single value without an array is an error
 * @throws InvalidQuery for anything else
 */
export function conditionsOf<Name extends string>(
  req: Request,
  known: { readonly [spelling: string]: Name },
  demandsArrays = false,
): FilterCondition<Name>[] {
  const text = req.query['filters'];
  if (text === undefined || text === '') return [];
  const found: FilterCondition<Name>[] = [];
  for (const element of parsed(text)) {
    if (!isObject(element)) throw malformed();
    for (const [spelling, condition] of Object.entries(element)) {
      const name = Object.hasOwn(known, spelling) ? known[spelling] : undefined;
      if (name === undefined)
        throw new InvalidQuery(`Filter ${spelling.slice(0, 100)} does not exist.`, 'filters');
      if (found.some((one) => one.name === name))
        throw new InvalidQuery(`Filter ${spelling} is given twice.`, 'filters');
      const { operator, values, ...others } = isObject(condition) ? condition : {};
      const [unknown] = Object.keys(others);
      if (unknown !== undefined)
        throw new InvalidQuery(
          `Filter ${spelling} has no member ${unknown.slice(0, 100)}.`,
          'filters',
        );
      found.push({
        name,
        operator: String(operator),
        values: valuesOf(spelling, values, demandsArrays),
      });
    }
  }
  return found;
}

function valuesOf(spelling: string, values: unknown, demandsArrays: boolean): string[] {
  if (values === undefined || values === null) return [];
  const list: unknown[] = Array.isArray(values) || demandsArrays ? (values as unknown[]) : [values];
  if (
    !Array.isArray(list) ||
    !list.every((value) => typeof value === 'string' || typeof value === 'number')
  )
    throw new InvalidQuery(`Filter ${spelling} takes an array of values.`, 'filters');
  return list.map(String);
}

/**
 * As `conditionsOf`, for lists whose filters take only the operator "=" and an array of values.
 * @returns the values by the name of the filter
 */
export function filtersOf<Name extends string>(
  req: Request,
  known: { readonly [spelling: string]: Name },
): { [name in Name]?: string[] } {
  const found: { [name in Name]?: string[] } = {};
  for (const { name, operator, values } of conditionsOf(req, known, true)) {
    const spelling = Object.keys(known).find((one) => known[one] === name) ?? name;
    if (operator !== '=')
      throw new InvalidQuery(`Filter ${spelling} takes the operator "=".`, 'filters');
    if (values.length === 0)
      throw new InvalidQuery(`Filter ${spelling} takes an array of values.`, 'filters');
    found[name] = values;
  }
  return found;
}

/**
 * The orders in `[["updatedAt", "desc"], "id:asc"]`, as names of an enum of the graph.
 * @param known names of columns, by their accepted spellings
 * @throws InvalidQuery for an unknown column
 */
export function ordersOf<Name extends string>(
  req: Request,
  known: { readonly [spelling: string]: Name },
): `${Name}_${'ASC' | 'DESC'}`[] {
  const text = req.query['sortBy'];
  if (text === undefined || text === '') return [];
  const orders = jsonArray(text);
  if (!orders || orders.length > MAX_ORDERS)
    throw new InvalidQuery(
      `The query parameter 'sortBy' is an array of at most ${MAX_ORDERS} orders.`,
      'sortBy',
    );
  return orders.map((order) => {
    const [column, direction] = Array.isArray(order) ? order : String(order).split(':');
    const spelling = String(column);
    const name = Object.hasOwn(known, spelling) ? known[spelling] : undefined;
    if (name === undefined)
      throw new InvalidQuery(`Can't sort by column: ${spelling.slice(0, 100)}`, 'sortBy');
    return `${name}_${direction === 'desc' ? 'DESC' : 'ASC'}` as const;
  });
}

export const FILTERS_MALFORMED = "The query parameter 'filters' is missing or malformed.";

const malformed = () => new InvalidQuery(FILTERS_MALFORMED, 'filters');

function parsed(text: unknown): unknown[] {
  const list = jsonArray(text);
  if (!list) throw malformed();
  return list;
}

function jsonArray(text: unknown): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
