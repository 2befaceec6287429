/** Long lists of work packages, projects and users: searched, filtered, sorted and paged. */
import { oneOf } from '../../fuzz/hostile-values.js';
import { LEAVERS, REQUEST, SEARCHES } from '../budgets.js';
import type { Sent, Way } from '../way.js';
import { changed, joined, once, textWay, times, type Parts } from './parts.js';

interface Search {
  text: Parts;
  first: number;
  page: number;
  /** How often each list is in the document. */
  times: number;
  orderBy: string;
}

const words = [
  'a',
  'the',
  ' ',
  'th ',
  '50%',
  '_',
  '\\',
  '"',
  "'",
  '"a" OR ',
  '*',
  '\0',
  '\u202e',
  'ابجد ',
  '\ufdfa',
  '\u0301',
  '#',
  '1',
  '\ud800',
];
const orders = [
  'ID_ASC',
  'ID_DESC',
  'SUBJECT_DESC',
  'UPDATED_AT_DESC',
  'RESPONSIBLE_ASC',
  'PROJECT_ASC',
];

const fileOrders = ['ID_ASC', 'ID_DESC', 'FILE_NAME_ASC', 'FILE_SIZE_DESC', 'CREATED_AT_ASC'];

const search = (text: Parts, more: Partial<Search> = {}): Search => ({
  text,
  first: 200,
  page: 1,
  times: 1,
  orderBy: 'ID_ASC',
  ...more,
});
/** Two-letter words that all rows contain. */
const letters = 'the quick brown fox jumps over lazy dog 0123456789';
const pairs = letters.split('').flatMap((_, at) => letters.slice(at, at + 2).trim() || []);
const manyWords = [...new Set([...pairs, ...letters.split(' ').flatMap((word) => word.split(''))])];

/** So many different words, each as long as the first one. */
const distinct = (count: number, start: number) =>
  Array.from({ length: count }, (_, n) => (start + n).toString(36)).join(' ');

export const searches: Way<Search> = {
  name: 'searches',
  budget: SEARCHES,
  first: () => [
    search([once(manyWords.slice(0, 10).join(' '))]),
    search([once(manyWords.join(' '))]),
    search([once(distinct(330, 36))], { times: 10 }),
    search([once(distinct(4_000, 36 ** 2))]),
    search([once('the quick brown fox jumps over lazy dog 0123456789 50%')]),
    search([times(250, 'a'), once(' '), times(250, 'the')]),
    search([times(5_000, 'ابجد')]),
    search([times(3_000, '%_\\')]),
    search([times(333, '"a')]),
    search([times(100, '\u202e'), once('\0')]),
    search([times(1_000, '\ufdfa')]),
    search([once('1')]),
    search([once('#1234567')]),
    search([], { page: 1_000_000_000 }),
    search([], { first: 100_000 }),
    search([], { orderBy: 'RESPONSIBLE_ASC, PROJECT_ASC, SUBJECT_DESC' }),
    search([once('q')], { times: 9, orderBy: 'UPDATED_AT_DESC' }),
  ],
  change(input, random) {
    switch (random.integer(8)) {
      case 0:
        return { ...input, times: 1 + random.integer(10) };
      case 1:
        return { ...input, first: oneOf(random, [1, 100, 101, 100_000]) };
      case 2:
        return { ...input, page: oneOf(random, [1, 2, 99, 100, 101, 1_000_000_000]) };
      case 3: {
        const by = [...Array(1 + random.integer(5))].map(() => oneOf(random, orders));
        return { ...input, orderBy: by.join(', ') };
      }
      default:
        return { ...input, text: changed(input.text, [...words, ...manyWords], random) };
    }
  },
  requests: (input) => [searched(input)],
};

const searched = ({ text, first, page, times: count, orderBy }: Search): Sent =>
  document(
    count,
    (n) =>
      `w${n}: workPackages(filter: { search: $s }, first: $f, page: $p, orderBy: [${orderBy}]) { totalCount nodes { id } } ` +
      `p${n}: projects(filter: { search: $s }, first: $f, page: $p) { totalCount nodes { id } } ` +
      `u${n}: users(filter: { search: $s }, first: $f, page: $p) { totalCount nodes { id } }`,
    { s: joined(text), f: first, p: page },
  );

/** The same lists several times. */
function document(count: number, lists: (n: number) => string, variables: object): Sent {
  const declared = Object.keys(variables).map(
    (name) => `$${name}: ${name === 's' ? 'String' : 'Int'}`,
  );
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `query (${declared.join()}) { ${Array.from({ length: count }, (_, n) => lists(n)).join(' ')} }`,
      variables,
    }),
  };
}

/** In all files and linked files. */
export const fileSearches: Way<Search> = {
  ...searches,
  name: 'searches of files',
  first: (ids) => [
    ...searches.first(ids).map((input) => ({ ...input, orderBy: 'ID_DESC' })),
    ...fileOrders.map((orderBy) => search([once('the quick')], { times: 4, orderBy })),
    search([once('q')], { times: 4, orderBy: 'FILE_NAME_ASC' }),
  ],
  change: (input, random, ids) => ({
    ...searches.change(input, random, ids),
    times: 1 + random.integer(6),
    orderBy: oneOf(random, fileOrders),
  }),
  requests: ({ text, first, page, times: count, orderBy }) => [
    document(
      count,
      (n) =>
        `a${n}: attachments(search: $s, first: $f, page: $p, orderBy: ${orderBy}) { totalCount nodes { id } } ` +
        `l${n}: fileLinks(search: $s, first: $f, page: $p) { totalCount nodes { id } }`,
      { s: joined(text), f: first, p: page },
    ),
  ],
};

const LEAVE_AFTER_MS = 300;

/** Clients that search thirty lists each and leave before the answer. */
export const leavers: Way<number> = {
  name: 'clients that leave',
  budget: LEAVERS,
  first: () => [1, 40],
  change: (count, random) => 1 + ((count + random.integer(40)) % 40),
  requests(count) {
    const { body, headers, ...sent } = searched(search([once('q')], { times: 10 }));
    return [
      {
        ...sent,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body as string)) },
        body: body!,
        readers: count,
        leaveAfter: LEAVE_AFTER_MS,
      },
    ];
  },
};

const filter = (name: string, operator: string, ...values: (string | number)[]) =>
  JSON.stringify({ [name]: { operator, values } });

/** The text has the parameters; Node.js limits the address to 16 KiB. */
export const filteredLists = textWay({
  name: 'filtered lists',
  budget: REQUEST,
  words: [
    '&pageSize=',
    '1000',
    '&offset=',
    '&sortBy=',
    '[["responsible","desc"]]',
    '["author"],',
    '&filters=[',
    ']',
    '{"search":{"operator":"**","values":["',
    '{"id":{"operator":"=","values":["1"',
    '{"project":{"operator":"!","values":["1"',
    '{"assignee":{"operator":"*"}}',
    ',"2"',
    '"]}}',
    ',',
    '%00',
    '%25',
    'ابجد',
  ],
  first: ({ smallProject }) => {
    const inProject = filter('project', '=', smallProject);
    return [
      [once('pageSize=1000')],
      [once('pageSize=100000')],
      [once('pageSize=100000&offset=1000000000')],
      [once(`filters=[${filter('search', '**', manyWords.slice(0, 10).join(' '))}]`)],
      [once('filters=[{"search":{"operator":"**","values":["'), times(3_000, 'a '), once('"]}}]')],
      [
        once('filters=[{"typeahead":{"operator":"**","values":["'),
        times(500, 'ابجد '),
        once('"]}}]'),
      ],
      [once('filters=[{"id":{"operator":"=","values":["1"'), times(900, ',"2"'), once(']}}]')],
      [once('filters=[{"id":{"operator":"!","values":["1"'), times(2_500, ',"2"'), once(']}}]')],
      [once('filters=['), times(200, `${inProject},`), once(`${inProject}]`)],
      [
        once(
          `filters=[${inProject},${filter('status', 'o')},${filter('type', '!', 1)},{"assignee":{"operator":"*"}}]&pageSize=200`,
        ),
      ],
      [once('sortBy=[["responsible","asc"],["author","desc"],["assignee"]]')],
      [
        once(`filters=[${inProject}]&pageSize=200&sortBy=[["responsible"]`),
        times(40, ',["author"],["assignee"]'),
        once(']'),
      ],
    ];
  },
  requests: (text) => [
    { method: 'GET', path: `/api/v3/work_packages?${encodeURI(text.toWellFormed())}` },
  ],
});
