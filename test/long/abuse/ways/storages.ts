/** Answers of storages: folders in XML and JSON, and the states of many files. */
import { STORAGE_ANSWER } from '../budgets.js';
import type { Ids } from '../world.js';
import { once, textWay, times } from './parts.js';

const post = (query: string) => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query }),
});
const folder = (storage: number) =>
  post(
    `{ storage(id: ${storage}) { files(parent: "/") { files { id name size mimeType } ancestors { id } parent { id } } } }`,
  );

const entry = `<d:response><d:href>/remote.php/dav/files/somebody/a.txt</d:href><d:propstat><d:prop><oc:fileid>7</oc:fileid><d:getcontentlength>1</d:getcontentlength><d:getlastmodified>Mon, 23 Nov 2026 10:00:00 GMT</d:getlastmodified><oc:permissions>RGDNVW</oc:permissions><d:resourcetype/></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
const xmlHead =
  '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:response><d:href>/remote.php/dav/files/somebody/</d:href><d:propstat><d:prop><oc:fileid>6</oc:fileid><d:getlastmodified>Mon, 23 Nov 2026 10:00:00 GMT</d:getlastmodified><oc:permissions>RGDNVCK</oc:permissions><d:resourcetype><d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';

export const xmlOfStorages = textWay({
  name: 'XML of storages',
  budget: STORAGE_ANSWER,
  words: [
    '<d:response>',
    '</d:response>',
    '<d:prop>',
    '<a>',
    '</a>',
    '<a/>',
    ' a="b"',
    '&amp;',
    '&#65;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<!DOCTYPE a [',
    '<!ENTITY b "c">',
    '%41',
    'x',
    '\n',
    entry,
  ],
  first: () => [
    [once(xmlHead), times(2_500, entry), once('</d:multistatus>')],
    [once(xmlHead), times(200_000, '<a>')],
    [once(xmlHead), once('<a '), times(150_000, 'b="" '), once('/>')],
    [once(xmlHead), times(170_000, '<a/>'), once('</d:multistatus>')],
    [
      once(xmlHead),
      once('<d:response><d:href>'),
      times(180_000, '&amp;'),
      once('</d:href></d:response></d:multistatus>'),
    ],
    [
      once(xmlHead),
      once('<d:response><d:href>/'),
      times(300_000, '%41'),
      once('</d:href></d:response></d:multistatus>'),
    ],
  ],
  requests: (text, { fileServer }: Ids) => [
    { ...folder(fileServer), storageAnswer: Buffer.from(text) },
  ],
});

const driveFolder =
  '{"id":"B","name":"root","size":1,"root":{},"folder":{"childCount":1},"createdDateTime":"2026-11-23T10:00:00Z","lastModifiedDateTime":"2026-11-23T10:00:00Z","parentReference":{"id":"A","path":"/drive/root:"}}';
const item =
  '{"id":"A","name":"a.txt","size":1,"file":{"mimeType":"text/plain"},"createdDateTime":"2026-11-23T10:00:00Z","lastModifiedDateTime":"2026-11-23T10:00:00Z","parentReference":{"id":"B","path":"/drive/root:"}}';

export const jsonOfDrives = textWay({
  name: 'JSON of drives',
  budget: STORAGE_ANSWER,
  words: [
    '{',
    '}',
    '[',
    ']',
    '"a":',
    ',',
    '1',
    '""',
    item,
    '\\u0041',
    '"value":[',
    '{"a":',
    '"@odata.nextLink":"http://127.0.0.1:1/"',
    ' ',
  ],
  first: () => [
    [once('{"value":['), once(item), times(4_500, `,${item}`), once(']}')],
    [once('{"value":[1'), times(400_000, ',1'), once(']}')],
    [once('{"value":[{}'), times(300_000, ',{}'), once(']}')],
    [once('{"value":'), times(400_000, '['), once('')],
    [once('{"value":[],"a":"'), times(150_000, '\\u0041'), once('"}')],
    [once('{"value":[{"a":1'), times(150_000, ',"a":1'), once('}]}')],
  ],
  requests: (text, { drive }) => [
    {
      ...folder(drive),
      storageAnswer: Buffer.from(text),
      folderAnswer: Buffer.from(driveFolder),
    },
  ],
});

const info =
  '{"status":"OK","statuscode":200,"id":1,"name":"a.txt","mtime":1,"ctime":1,"mimetype":"text/plain","size":1,"owner_name":"a","owner_id":"a","trashed":false,"modifier_name":"a","modifier_id":"a","dav_permissions":"RGDNVW","path":"files/a.txt"}';

export const jsonOfFileServers = textWay({
  name: 'JSON of file servers',
  budget: STORAGE_ANSWER,
  words: ['{', '}', '[', ']', '"a":', ',', '1', '""', `"1":${info}`, '\\u0041', '{"a":', ' '],
  first: () => [
    [
      once('{"ocs":{"meta":{"status":"ok","statuscode":100},"data":{"0":'),
      once(info),
      times(1_500, `,"1":${info}`),
      once('}}}'),
    ],
    [once('{"ocs":{"data":{"1":1'), times(80_000, ',"1":1'), once('}}}')],
    [once('{"ocs":'), times(400_000, '[')],
  ],
  requests: (text, { workPackage }) => [
    {
      ...post(
        `{ workPackage(id: ${workPackage}) { fileLinks { nodes { id status originData { name } } } } }`,
      ),
      storageAnswer: Buffer.from(text),
    },
  ],
});
