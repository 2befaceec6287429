/** Limits that are taken back, one hole at a time. The search must find each hole. */
export interface Hole {
  name: string;
  /** The way in that finds it. */
  way: string;
  changes: readonly {
    /** The source file, below `src`. */
    source: string;
    /** Text that the file contains exactly once. */
    text: string;
    by: string;
  }[];
}

export const holes: readonly Hole[] = [
  {
    name: 'long names in large answers',
    way: 'documents',
    changes: [
      {
        source: 'graphql/document-limits.ts',
        text: 'const MAX_NAME = 100;',
        by: 'const MAX_NAME = 100_000;',
      },
      {
        source: 'loaders/document-budget.ts',
        text: 'export const MAX_ANSWER = 16 * 1024 * 1024;',
        by: 'export const MAX_ANSWER = Infinity;',
      },
    ],
  },
  {
    name: 'plans without a budget',
    way: 'documents',
    changes: [
      {
        source: 'graphql/plan-run.ts',
        text: 'if (budget && !(budget.takeFields(fields) && budget.takeBytes(bytes))) budget.demand();',
        by: 'void [budget, fields, bytes];',
      },
    ],
  },
  {
    name: 'any number of fields',
    way: 'documents',
    changes: [
      {
        source: 'loaders/document-budget.ts',
        text: 'const MAX_FIELDS = 100_000;',
        by: 'const MAX_FIELDS = Infinity;',
      },
    ],
  },
  {
    name: 'Markdown of any number of steps',
    way: 'Markdown',
    changes: [
      {
        source: 'models/markdown.ts',
        text: 'if (this.#leftForText < steps) throw new TooExpensive();',
        by: '',
      },
    ],
  },
  {
    name: 'clients that do not read',
    way: 'slow readers',
    changes: [
      {
        source: 'blobs/file-slices.ts',
        text: '    this.#isLate = true;\n    // Otherwise',
        by: '    return;\n    // Otherwise',
      },
      {
        source: 'blobs/file-slices.ts',
        text: 'const UNKNOWN = 4 * 1024 * 1024;',
        by: 'const UNKNOWN = 0;',
      },
      {
        source: 'services.ts',
        text: '{ total: Infinity, perUser: config.downloadsPerUser }',
        by: '{ total: Infinity, perUser: Infinity }',
      },
    ],
  },
  {
    name: 'requests of one packet at the same time',
    way: 'requests in one packet',
    changes: [
      {
        source: 'http/open-answers.ts',
        text: 'if (open.length === 1) this.begin(res);',
        by: 'this.begin(res);',
      },
      {
        source: 'http/open-answers.ts',
        text: 'const MOST_OPEN = 10;',
        by: 'const MOST_OPEN = Infinity;',
      },
    ],
  },
  {
    name: 'any number of bodies that arrive',
    way: 'bodies that do not end',
    changes: [
      {
        source: 'http/server.ts',
        text: '{ total: 128 * 1024 * 1024, perUser: 32 * 1024 * 1024 }',
        by: '{ total: Infinity, perUser: Infinity }',
      },
    ],
  },
  {
    name: 'small chunks of files',
    way: 'bodies that do not end',
    changes: [
      {
        source: 'blobs/gather-chunks.ts',
        text: 'return this.#memory < LARGE ? undefined : this.rest();',
        by: 'return this.rest();',
      },
    ],
  },
  {
    name: 'large answers at the same time',
    way: 'slow readers of lists',
    changes: [
      {
        source: 'services.ts',
        text: '{ running: 2, waiting: 100 }',
        by: '{ running: Infinity, waiting: 100 }',
      },
    ],
  },
  {
    name: 'answers of storages that are parsed at once',
    way: 'XML of storages',
    changes: [{ source: 'concurrency/slices.ts', text: '    await nextTurn();', by: '' }],
  },
  {
    name: 'any number of words in a search',
    way: 'searches',
    changes: [
      {
        source: 'lists/search-words.ts',
        text: 'const MAX_WORDS = 10;',
        by: 'const MAX_WORDS = Infinity;',
      },
    ],
  },
  {
    name: 'searches of any length',
    way: 'searches',
    changes: [
      {
        source: 'contract/limits.ts',
        text: 'export const MAX_SEARCH = 1_000;',
        by: 'export const MAX_SEARCH = 1_000_000;',
      },
      {
        source: 'lists/search-words.ts',
        text: 'const MAX_WORDS = 10;',
        by: 'const MAX_WORDS = Infinity;',
      },
    ],
  },
  {
    name: 'any number of rows on a page',
    way: 'searches',
    changes: [
      {
        source: 'contract/limits.ts',
        text: 'MAX_PAGE = 200;',
        by: 'MAX_PAGE = 1_000_000;',
      },
    ],
  },
  {
    name: 'any number of rows counted and sorted',
    way: 'searches',
    changes: [
      {
        source: 'contract/limits.ts',
        text: 'MAX_COUNTED = 10_000;',
        by: 'MAX_COUNTED = 1_000_000_000;',
      },
    ],
  },
  {
    name: 'any number of lists in a document',
    way: 'searches',
    changes: [
      { source: 'contract/field-weights.ts', text: 'searched: 1_000,', by: 'searched: 1,' },
    ],
  },
  {
    name: 'REST pages of any size',
    way: 'filtered lists',
    changes: [
      {
        source: 'rest/request/page-and-filters.ts',
        text: 'const MAX_PAGE_SIZE = 1000;',
        by: 'const MAX_PAGE_SIZE = 1_000_000;',
      },
    ],
  },
  {
    name: 'any number of orders',
    way: 'filtered lists',
    changes: [
      {
        source: 'contract/limits.ts',
        text: 'export const MAX_ORDERS = 3;',
        by: 'export const MAX_ORDERS = 1_000;',
      },
    ],
  },
  {
    name: 'any number of notifications counted and sorted',
    way: 'notifications',
    changes: [
      {
        source: 'contract/limits.ts',
        text: 'MAX_COUNTED = 10_000;',
        by: 'MAX_COUNTED = 1_000_000_000;',
      },
    ],
  },
  {
    name: 'REST pages of notifications of any size',
    way: 'filtered notifications',
    changes: [
      {
        source: 'rest/request/page-and-filters.ts',
        text: 'const MAX_PAGE_SIZE = 1000;',
        by: 'const MAX_PAGE_SIZE = 1_000_000;',
      },
    ],
  },
  {
    name: 'any number of marks in a document',
    way: 'marks of notifications',
    changes: [{ source: 'contract/field-weights.ts', text: 'marked: 15_000,', by: 'marked: 1,' }],
  },
  {
    name: 'work for clients that have left',
    way: 'clients that leave',
    changes: [
      {
        source: 'concurrency/client.ts',
        text: 'this.#hasLeft = true;',
        by: 'return;',
      },
    ],
  },
  {
    name: 'any number of ids in lists',
    way: 'lists of ids',
    changes: [
      {
        source: 'graphql/listed-ids.ts',
        text: 'if (ids > MAX_LISTED_IDS)',
        by: 'if (ids > Infinity)',
      },
    ],
  },
  {
    name: 'any number of streams',
    way: 'streams of notifications',
    changes: [
      {
        source: 'graphql/subscriptions.ts',
        text: '{ total: 1_000, perUser: 100 }',
        by: '{ total: Infinity, perUser: Infinity }',
      },
    ],
  },
];
