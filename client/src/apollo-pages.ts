/** How the cache of Apollo Client joins the pages of a list that is read with cursors. */

interface Page {
  pageInfo?: { startCursor?: string | null; endCursor?: string | null };
  nodes?: readonly unknown[];
  edges?: readonly unknown[];
}

interface MergeOptions {
  args: { [name: string]: unknown } | null;
}

/** A field policy of Apollo Client. */
export interface PagePolicy {
  /** @returns the arguments that choose another list, or the name of the list in the cache */
  keyArgs(args: object | null, context: { fieldName: string }): string[] | string;
  merge(existing: Page | undefined, incoming: Page, options: MergeOptions): Page;
}

/** @param keyArgs arguments that choose another list, such as filters and orders */
export const pages = (keyArgs: string[]): PagePolicy => ({
  // A list without arguments is the same one: Apollo Client would give it another name.
  keyArgs: (args, { fieldName }) => (args ? keyArgs : `${fieldName}:{}`),
  merge(existing, incoming, { args }) {
    // Only a count, such as that of a deletion's answer.
    if (!incoming.nodes && !incoming.edges) return { ...existing, ...incoming };
    const { after, before } = args ?? {};
    // The next page belongs behind the list, if it begins where the list ends. All else is a new list.
    if (existing && after != null && after === existing.pageInfo?.endCursor)
      return joined(existing, incoming, { ...existing.pageInfo, ...end(incoming) }, incoming);
    if (existing && before != null && before === existing.pageInfo?.startCursor)
      return joined(incoming, existing, { ...existing.pageInfo, ...start(incoming) }, incoming);
    return incoming;
  },
});

type PageInfo = NonNullable<Page['pageInfo']>;

const joined = (first: Page, second: Page, pageInfo: PageInfo, newest: Page): Page => ({
  ...newest,
  ...(newest.pageInfo && { pageInfo }),
  ...(newest.nodes && { nodes: [...(first.nodes ?? []), ...(second.nodes ?? [])] }),
  ...(newest.edges && { edges: [...(first.edges ?? []), ...(second.edges ?? [])] }),
});

const end = ({ pageInfo = {} }: Page): object =>
  without(pageInfo, ['startCursor', 'hasPreviousPage']);
const start = ({ pageInfo = {} }: Page): object => without(pageInfo, ['endCursor', 'hasNextPage']);

const without = (pageInfo: object, names: string[]): object =>
  Object.fromEntries(Object.entries(pageInfo).filter(([name]) => !names.includes(name)));
