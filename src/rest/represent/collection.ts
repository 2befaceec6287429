/** Lists as HAL documents. */
import type { PageOfQuery } from '../request/page-and-filters.js';

/** A list on one page. */
export const collection = <E extends object>(self: string, total: number, elements: E[]) => ({
  _type: 'Collection' as const,
  total,
  count: elements.length,
  _embedded: { elements },
  _links: { self: { href: self } },
});

/**
 * One page of a list. The braces of templated links are percent-encoded, as in forms.
 * @param filters the query parameter as the client sent it; `sortBy` likewise
 */
export function page<E extends object>(
  path: string,
  total: number,
  elements: E[],
  { offset, pageSize }: PageOfQuery,
  filters?: string,
  sortBy?: string,
) {
  const href = (at: number | string, size: number | string) =>
    `${path}?${new URLSearchParams({
      ...(filters !== undefined && { filters }),
      offset: String(at),
      pageSize: String(size),
      ...(sortBy !== undefined && { sortBy }),
    }).toString()}`;
  return {
    _type: 'Collection' as const,
    total,
    count: elements.length,
    pageSize,
    offset,
    _embedded: { elements },
    _links: {
      self: { href: href(offset, pageSize) },
      jumpTo: { href: href('{offset}', pageSize), templated: true },
      changeSize: { href: href(offset, '{size}'), templated: true },
      ...(offset > 1 && { previousByOffset: { href: href(offset - 1, pageSize) } }),
      ...(pageSize > 0 &&
        offset * pageSize < total && { nextByOffset: { href: href(offset + 1, pageSize) } }),
    },
  };
}

/** All that a request created, as one page of a list. The `self` link names no page. */
export function whole<E extends object>(path: string, elements: E[]) {
  const { _links, ...own } = page(path, elements.length, elements, {
    offset: 1,
    pageSize: elements.length,
  });
  return { ...own, _links: { ..._links, self: { href: path } } };
}
