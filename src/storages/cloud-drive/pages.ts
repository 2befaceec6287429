/** Reads the lists of the drive's API, page by page. */
import type { Access } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { get } from './client.js';

/** Rows that are asked for at once. */
export const PAGE = 1000;
/** No folder has so many pages. The limit ends a list whose pages repeat. */
const MOST_PAGES = 500;
/** The service asks for fewer rows in a page. */
const MOST_IN_PAGE = 10 * PAGE;
const PAGE_BYTES = 16 * 1024 * 1024;

/** @throws StorageFailure, OutboundFailure */
export async function* pagesOf(
  access: Access,
  first: string | undefined,
): AsyncGenerator<unknown[]> {
  const visited = new Set<string>();
  for (let path = first; path !== undefined;) {
    if (visited.has(path) || visited.size === MOST_PAGES)
      throw new StorageFailure('unexpected', 200, 'The storage lists a folder without an end.');
    visited.add(path);
    const page = await get(access, path, PAGE_BYTES);
    const rows = page['value'];
    if (!Array.isArray(rows) || rows.length > MOST_IN_PAGE)
      throw new StorageFailure('unexpected', 200, 'The storage answered without a list of files.');
    yield rows;
    path = nextPath(access, page['@odata.nextLink']);
  }
}

/** The next page must be at the API itself: the token must not be sent to another host. */
export function nextPath({ apiUrl }: Access, link: unknown): string | undefined {
  if (link === undefined || link === null) return undefined;
  const { origin, pathname } = new URL(apiUrl);
  const base = pathname.replace(/\/$/, '');
  const next = typeof link === 'string' && URL.canParse(link) ? new URL(link) : undefined;
  if (next?.origin !== origin || !next.pathname.startsWith(`${base}/`))
    throw new StorageFailure('unexpected', 200, 'The storage continues a list at another address.');
  return `${next.pathname.slice(base.length)}${next.search}`;
}
