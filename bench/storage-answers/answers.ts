/** Answers of storages within the limits of size that cost as much as possible. */

export interface Case {
  name: string;
  /** The request that gets the answer. */
  asks: 'folder of a file server' | 'folder of a drive' | 'files of a drive';
  body(): string;
}

/** Just below the limits of the answers. */
const FOLDER = 32 * 1024 * 1024 - 1024;
const PAGE = 16 * 1024 * 1024 - 1024;

const XML = '<?xml version="1.0"?>';
const OPEN =
  '<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" ' +
  'xmlns:nc="http://nextcloud.org/ns">';
const FIRST =
  '<d:response><d:href>/remote.php/dav/files/mia/</d:href><d:propstat><d:prop>' +
  '<oc:fileid>1</oc:fileid><d:resourcetype><d:collection/></d:resourcetype></d:prop>' +
  '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
const CLOSE = '</d:multistatus>';
const inside = (content: string) => `${XML}${OPEN}${FIRST}${content}${CLOSE}`;

/** As a real server describes a file. */
const file = (n: number) =>
  `<d:response><d:href>/remote.php/dav/files/mia/Docs/plan%20${n * 7919}.txt</d:href><d:propstat>` +
  `<d:prop><oc:fileid>${n}</oc:fileid><oc:size>123</oc:size>` +
  '<d:getcontenttype>text/plain</d:getcontenttype>' +
  '<d:getlastmodified>Mon, 23 Nov 2026 10:00:00 GMT</d:getlastmodified><d:resourcetype/>' +
  '<nc:creation_time>0</nc:creation_time><oc:permissions>RGDNVW</oc:permissions>' +
  '<oc:owner-display-name>Mia Ray</oc:owner-display-name></d:prop>' +
  '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';

const item = (n: number) => ({
  id: `01${n}`,
  name: `plan ${n * 7919}.txt`,
  size: 123,
  file: { mimeType: 'text/plain', hashes: { quickXorHash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' } },
  createdBy: { user: { displayName: 'Mia Ray', id: '48d31887-5fad-4d73-a9f5-3c356e68a038' } },
  lastModifiedBy: { user: { displayName: 'Mia Ray' } },
  createdDateTime: '2026-11-23T10:00:00Z',
  lastModifiedDateTime: '2026-11-23T10:00:00Z',
  fileSystemInfo: {
    createdDateTime: '2026-11-23T10:00:00Z',
    lastModifiedDateTime: '2026-11-23T10:00:00Z',
  },
  parentReference: { driveId: 'b!x', id: '01ROOT', name: 'root', path: '/drives/b!x/root:' },
  webUrl: `https://drive.example.com/Documents/plan%20${n * 7919}.txt`,
});

const filled = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length));

const fileServer = (name: string, body: () => string): Case => ({
  name,
  asks: 'folder of a file server',
  body,
});
const drive = (name: string, body: () => string): Case => ({
  name,
  asks: 'folder of a drive',
  body,
});

export const cases: Case[] = [
  fileServer('38,000 files', () =>
    inside(Array.from({ length: 38_000 }, (_, n) => file(n)).join('')),
  ),
  fileServer('as many short entries as fit', () =>
    inside(
      filled(
        '<d:response><d:href>/remote.php/dav/files/mia/a</d:href><d:propstat><d:prop>' +
          '<oc:fileid>1</oc:fileid></d:prop><d:status> 200 </d:status></d:propstat></d:response>',
        FOLDER - 1_000,
      ),
    ),
  ),
  fileServer('many empty elements', () => inside(filled('<a/>', FOLDER - 1_000))),
  fileServer('many empty responses', () => inside(filled('<d:response/>', FOLDER - 1_000))),
  fileServer('deep nesting', () => XML + filled('<a>', FOLDER)),
  fileServer('many attributes of one element', () => {
    let body = `${XML}<d:multistatus`;
    const parts: string[] = [];
    for (let n = 0, size = 0; size < FOLDER - 100; n += 1) {
      parts.push(` a${n}=""`);
      size += parts.at(-1)!.length;
    }
    body += parts.join('');
    return `${body}></d:multistatus>`;
  }),
  fileServer('a huge text', () =>
    inside(`<d:response><d:href>${filled('a', FOLDER - 1_000)}</d:href></d:response>`),
  ),
  fileServer('a huge text without use', () => inside(filled('a', FOLDER - 1_000))),
  fileServer('a huge comment', () => inside(`<!--${filled('a', FOLDER - 1_000)}-->`)),
  fileServer('character references', () =>
    inside(`<d:response>${filled('&#97;', FOLDER - 1_000)}</d:response>`),
  ),
  fileServer('expanding entities', () => {
    const entities = Array.from(
      { length: 20 },
      (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`,
    ).join('');
    return `${XML}<!DOCTYPE x [<!ENTITY e0 "x">${entities}]>${OPEN}<d:response>&e20;</d:response>${CLOSE}`;
  }),
  fileServer('long names of elements', () => {
    const name = 'x'.repeat(60_000);
    return inside(filled(`<${name}/>`, FOLDER - 1_000));
  }),
  fileServer('garbage', () => filled('\u0001<&>"\u20ac', FOLDER / 2)),
  drive('10,000 files in a page', () =>
    JSON.stringify({ value: Array.from({ length: 10_000 }, (_, n) => item(n)) }),
  ),
  drive('many empty arrays', () => `{"value":[${filled('[],', PAGE - 100)}[]]}`),
  drive('deep nesting', () => `{"value":${filled('[', PAGE - 100)}`),
  drive('deep objects', () => filled('{"value":', PAGE - 100)),
  drive('many members', () => {
    const parts: string[] = [];
    for (let n = 0, size = 0; size < PAGE - 100; n += 1) {
      parts.push(`"${n.toString(36)}x":1`);
      size += parts.at(-1)!.length + 1;
    }
    return `{${parts.join(',')}}`;
  }),
  drive('duplicate members', () => `{${filled('"value":[],', PAGE - 100)}"value":[]}`),
  drive('many numbers', () => `{"value":[${filled('1,', PAGE - 100)}1]}`),
  drive('one long number', () => `{"value":${filled('1', PAGE - 100)}}`),
  drive('one long text', () => `{"value":"${filled('\u00e4', PAGE / 2 - 100)}"}`),
  drive('escapes in a text', () => `{"value":"${filled('\\u0061', PAGE - 100)}"}`),
  drive('garbage', () => filled('{"\u0001', PAGE - 100)),
  {
    name: 'batches with many empty objects',
    asks: 'files of a drive',
    body: () => `{"responses":[${filled('{},', 4 * 1024 * 1024 - 100)}{}]}`,
  },
];
