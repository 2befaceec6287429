/** Texts in requests: bodies, forms, addresses and headers. */
import { REQUEST } from '../budgets.js';
import type { Way } from '../way.js';
import { once, textWay, times, type Parts } from './parts.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const BOUNDARY = 'b';

const jsonWords = [
  '{',
  '}',
  '[',
  ']',
  '"a":',
  '"',
  ',',
  ':',
  '1',
  'null',
  '1e999',
  '"\\ud800"',
  '\\u0000',
  '{"a":',
  '[[',
  '"_links":{',
  '"href":"/api/v3/storages/1"',
  '"__proto__":',
  '9'.repeat(50),
  ' ',
];

/** Broken text of documents. Valid ones are a way of their own. */
export const brokenDocuments = textWay({
  name: 'text of documents',
  budget: REQUEST,
  words: [
    '{',
    '}',
    '{ viewer { id } }',
    '...F',
    'fragment F on Query { viewer { id } }',
    'query',
    '(id: 1)',
    '"',
    '"""',
    '@include(if: true)',
    '$a',
    'a: ',
    '[',
    '#',
    '\\',
    'viewer',
    'nam',
    '...on User{',
    ' ',
  ],
  first: () => [
    [once('{ '), times(400, 'viewer { nam } '), once('}')],
    [once('{ '), times(300, '...F '), once('} '), once('fragment F on Query { viewer { id } }')],
    [once('{ '), times(240, '...{viewer{...{id}}}'), once('}')],
    [once('{ viewer { '), times(900, 'id '), once('} }')],
    [times(3_900, '{a')],
    [once('query('), times(400, '$a: Strng, '), once(') { viewer { id } }')],
    [once('{ node(id: '), times(3_000, '['), once(') { id } }')],
  ],
  requests: (text) => [
    { method: 'POST', path: '/graphql', headers: JSON_TYPE, body: JSON.stringify({ query: text }) },
  ],
});

export const variables = textWay({
  name: 'variables',
  budget: REQUEST,
  words: [...jsonWords, '"ids":[', '"id":"1",', '"input":{'],
  first: () => [
    [once('{"ids":["1"'), times(4_000, ',"1"'), once(']}')],
    [once('{"ids":[{}'), times(4_000, ',{}'), once(']}')],
    [once('{"ids":'), times(2_000, '['), times(2_000, ']'), once('}')],
    [once('{"input":{"a":1'), times(2_000, ',"b":2'), once('}}')],
    [once('{"after":"'), times(15_000, 'x'), once('"}')],
    [once('{"after":"'), times(2_000, '\\ud800'), once('"}')],
  ],
  requests: (text, { workPackage }) => [
    {
      method: 'POST',
      path: '/graphql',
      headers: JSON_TYPE,
      body: `{"query":"query($ids:[ID!],$after:String,$input:CreateFileLinksInput){projectStorages(filter:{projectIds:$ids,storageIds:$ids}){totalCount} workPackage(id:${workPackage}){attachments(after:$after){totalCount}}}","variables":${text}}`,
    },
  ],
});

export const forms = textWay({
  name: 'forms',
  budget: REQUEST,
  words: [
    `--${BOUNDARY}\r\n`,
    '\r\n',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="metadata"',
    'Content-Disposition: form-data; name="file"; filename="a.txt"',
    'Content-Type: application/json',
    '{"fileName":"a.txt"}',
    '; a="b"',
    '"',
    '\\',
    "filename*=UTF-8''%41",
    '--',
    'x: y\r\n',
    '\0',
  ],
  first: () => [
    [
      once(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"a.txt"}\r\n`,
      ),
      once(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`,
      ),
      times(500, 'text'),
      once(`\r\n--${BOUNDARY}--\r\n`),
    ],
    [times(300, `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n`)],
    [once(`--${BOUNDARY}\r\n`), times(4_000, 'x:y\r\n')],
    [
      once(`--${BOUNDARY}\r\nContent-Disposition: form-data`),
      times(3_000, '; a="'),
      once('\r\n\r\n'),
    ],
  ],
  requests: (text, { workPackage }) => [
    {
      method: 'POST',
      path: `/api/v3/work_packages/${workPackage}/attachments`,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: text,
    },
  ],
});

export const bodies = textWay({
  name: 'JSON bodies',
  budget: REQUEST,
  words: [
    ...jsonWords,
    '"_embedded":{"elements":[',
    '{"originData":{"id":"1","name":"a"},"_links":{"storage":{"href":"/api/v3/storages/1"}}},',
  ],
  first: ({ fileServer }) => {
    const link = `{"originData":{"id":"1","name":"a.txt"},"_links":{"storage":{"href":"/api/v3/storages/${fileServer}"}}}`;
    return [
      [once('{"_embedded":{"elements":['), once(link), times(19, `,${link}`), once(']}}')],
      [once('{"_embedded":{"elements":[{}'), times(5_000, ',{}'), once(']}}')],
      [times(3_000, '{"a":'), once('1'), times(3_000, '}')],
      [once('{"a":1'), times(2_500, ',"a":1'), once('}')],
      [once('{"_embedded":{"elements":[{"originData":{"id":"'), times(4_000, '9'), once('"}}]}}')],
    ];
  },
  requests: (text, { workPackage }) => [
    {
      method: 'POST',
      path: `/api/v3/work_packages/${workPackage}/file_links`,
      headers: JSON_TYPE,
      body: text,
    },
  ],
});

/** Node.js limits the address and the headers to 16 KiB. */
export const filters = textWay({
  name: 'filters',
  budget: REQUEST,
  words: [...jsonWords, '{"storageId":{"operator":"=","values":["1"]}},', '"1",'],
  first: ({ fileServer }) => [
    [
      once(`[{"storageId":{"operator":"=","values":["${fileServer}"`),
      times(900, ',"1"'),
      once(']}}]'),
    ],
    [once('['), times(70, '{"projectId":{"operator":"=","values":["1"]}},'), once('{}]')],
    [times(1_500, '[')],
  ],
  requests: (text) => [
    { method: 'GET', path: `/api/v3/project_storages?filters=${encodeURIComponent(text)}` },
  ],
});

export const queries = textWay({
  name: 'query strings',
  budget: REQUEST,
  words: [
    'a=1&',
    'pageSize=1000&',
    'offset=',
    '[a]',
    '%5B',
    '%',
    '%00',
    '+',
    '&',
    '=',
    'filters=[]&',
    'a[b][c]=',
  ],
  first: () => [
    [times(1_500, 'a=1&')],
    [once('a'), times(1_000, '[a]'), once('=1')],
    [once('pageSize='), times(3_000, '9')],
    [times(3_000, '%')],
  ],
  requests: (text, { workPackage }) => [
    {
      method: 'GET',
      path: `/api/v3/work_packages/${workPackage}/file_links?${text.replace(/[^!-~]/g, '')}`,
    },
  ],
});

const HEADERS = [
  'accept',
  'range',
  'if-none-match',
  'cookie',
  'authorization',
  'accept-encoding',
  'content-type',
  'if-range',
  'x-forwarded-for',
  'traceparent',
  'accept-language',
] as const;

/** The first part names the header. */
export const headers: Way<Parts> = textWay({
  name: 'headers',
  budget: REQUEST,
  words: [
    'a',
    ',',
    ';',
    '=',
    '"',
    '"a",',
    'bytes=',
    '0-0,',
    '-',
    'W/',
    'q=0.1',
    'application/json',
    '*/*',
    ' ',
    '\t',
    'Bearer ',
    '=?',
    '%',
  ],
  first: () =>
    HEADERS.flatMap((name): Parts[] => [
      [once(`${name}:`), once('bytes='), times(1_500, '0-0,')],
      [once(`${name}:`), times(2_000, '"a",')],
      [once(`${name}:`), times(2_500, 'a;q=1,')],
      [once(`${name}:`), times(6_000, ' ;')],
    ]),
  requests: (text, { attachment }) => {
    const [name = '', ...rest] = text.split(':');
    const known = HEADERS.find((one) => name === one) ?? 'accept';
    return [
      {
        method: 'GET',
        path: `/api/v3/attachments/${attachment}/content`,
        headers: { [known]: rest.join(':').replace(/[^\t -~]/g, '') },
      },
    ];
  },
});

export const names = textWay({
  name: 'names',
  budget: REQUEST,
  words: [
    'a',
    '.',
    '..',
    '/',
    '\\u0301',
    '\\ud83d\\ude00',
    '\\u202e',
    ' ',
    '\\u0000',
    '.tar.gz',
    '"',
    '%',
    'ß',
    'İ',
    '\\ufb03',
    '\\u1100',
  ],
  first: () => [
    [times(240, 'a'), once('.txt')],
    [times(15_000, '.')],
    [times(3_000, '\\u0301')],
    [times(2_500, '\\ufdfa')],
  ],
  requests: (text) => [
    {
      method: 'POST',
      path: '/graphql',
      headers: JSON_TYPE,
      body: `{"query":"mutation($n:String!){prepareAttachmentUpload(input:{fileName:$n,fileSize:1}){upload{id}}}","variables":{"n":"${text}"}}`,
    },
  ],
});

export const markdown = textWay({
  name: 'Markdown',
  budget: REQUEST,
  words: [
    '*',
    '_',
    '`',
    '[',
    ']',
    '(',
    ')',
    '![',
    '](',
    '<',
    '>',
    '> ',
    '- ',
    '1. ',
    '#',
    '\n',
    '\n\n',
    '    ',
    '|',
    '|-',
    '---',
    '&amp;',
    '\\',
    '[a]: b\n',
    '[a]',
    '~~',
    'http://a',
    '\t',
    '**a**',
    '"',
    "'",
  ],
  first: () => [
    [times(4_000, '> '), once('a')],
    [times(98, '>'), once(' a\n'), times(9_500, 'a\n')],
    [times(6_000, '['), once('a')],
    [times(3_000, '*a_')],
    [times(5_000, '`'), once('a')],
    [times(3_000, '[a](')],
    [times(400, '[a]: /b\n'), times(2_000, '[a] ')],
    [
      once('|a'),
      times(2_000, '|a'),
      once('\n'),
      times(2_000, '|-'),
      once('\n'),
      times(700, '|b\n'),
    ],
    [times(2_500, '- a\n  ')],
    [times(5_000, '<a ')],
    [times(3_000, '![[]()')],
  ],
  // Several comments with the same text differ by their ends, because equal texts share a rendering.
  requests: (text, { comments, workPackage }) => [
    ...comments.map((id, at) => ({
      method: 'PATCH',
      path: `/api/v3/activities/${id}`,
      headers: JSON_TYPE,
      body: JSON.stringify({ comment: { raw: `${text}${at}` } }),
    })),
    { method: 'GET', path: `/api/v3/work_packages/${workPackage}/activities` },
  ],
});
