/** Reads a page in parts. Texts of many rows would need much memory at once. */
import type { Context } from '../../context.js';
import type { PageOfQuery } from '../request/page-and-filters.js';

/** The most rows of one part. */
const PART = 200;
/** Numbered pages end after so many rows. */
const MOST_NUMBERED = 10_000;

/** What the graph takes: a numbered page, or the rows behind a cursor. */
interface PartWanted {
  first: number;
  page?: number;
  after?: string | null;
}

interface Part<N> {
  totalCount: number;
  totalIsAtLeast: boolean;
  pageInfo: { endCursor: string | null };
  nodes: N[];
}

interface LongPage<N> {
  total: number;
  /** The rows of the whole page. */
  count: number;
  /** The first rows. */
  nodes: N[];
  /** Reads the others. The first ones must be written by then. */
  more?: AsyncIterable<N[]>;
}

export async function readLongPage<N>(
  context: Context,
  { offset, pageSize }: PageOfQuery,
  read: (part: PartWanted) => Promise<Part<N>>,
): Promise<LongPage<N>> {
  const skipped = (offset - 1) * pageSize;
  if (pageSize <= PART || skipped >= MOST_NUMBERED) {
    const { totalCount, nodes } = await read({ first: pageSize, page: offset });
    return { total: totalCount, count: nodes.length, nodes };
  }
  // A numbered part has the size of the page. So the parts begin behind the row before the page.
  const before = skipped > 0 ? await read({ first: 1, page: skipped }) : undefined;
  if (before?.nodes.length === 0) return { total: before.totalCount, count: 0, nodes: [] };
  const first = await read({ first: PART, after: before?.pageInfo.endCursor ?? null });
  const { totalCount, totalIsAtLeast } = first;
  async function* more() {
    let part = first;
    for (let wanted = pageSize - PART; wanted > 0 && part.nodes.length === PART; wanted -= PART) {
      context.forgetLoaded();
      const { endCursor } = part.pageInfo;
      part = await read({ first: Math.min(wanted, PART), after: endCursor });
      yield part.nodes;
    }
  }
  return {
    total: totalCount,
    count: totalIsAtLeast ? pageSize : Math.min(pageSize, totalCount - skipped),
    nodes: first.nodes,
    more: more(),
  };
}
