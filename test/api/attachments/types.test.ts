/** Which media type the service finds for a file, from its bytes and its name. */
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { startApp, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { content, kinds, registries, type Content, type Source } from './kinds-of-files.js';

let app: App;
let editor: Person;
let list: string;

beforeAll(async () => {
  app = await startApp();
  editor = await app.given.user({ admin: true });
  list = (await app.given.post(await app.given.project(), editor)).attachments;
});
afterAll(() => app.stop());

const upload = async (fileName: string, bytes: string | Uint8Array) =>
  (await app.upload(list, { as: editor, fileName, content: bytes })).body;

const typeOf = async (fileName: string, bytes: string | Uint8Array): Promise<string> =>
  (await upload(fileName, bytes)).contentType;

test('files of 150 kinds of project work have the types of their registries', async () => {
  const found: [string, Content, string, Source][] = [];
  for (const [extension, form, , source] of kinds)
    found.push([extension, form, await typeOf(`plan.${extension}`, content[form]), source]);
  expect(kinds.length).toBeGreaterThanOrEqual(150);
  expect(found).toEqual(kinds);
  expect(kinds.filter(([, , , source]) => !(source in registries))).toEqual([]);
});

describe('text that begins with the letters of a binary format', () => {
  const letters = (
    'BM MZ FWS CWS ID3 GIF89a SQLi BZh MP+ MThd FORM OggS fLaC FLIF 8BPS II* MM PK RIFF Rar! regf Cr24 MSCF PAR1 ' +
    'wOFF icns LZIP ITSF IMPM MAC DSD AC1015 BLENDER DRACO 070707 !<arch> #!AMR solid %! %PDF ISc( .RMF'
  ).split(' ');
  test.each([
    ['notes.txt', 'text/plain'],
    ['table.csv', 'text/csv'],
    ['findings.md', 'text/markdown'],
  ])('has the type of %s', async (fileName, type) => {
    const found = await Promise.all(
      letters.map(async (word) => [
        word,
        await typeOf(fileName, `${word} ;Model\nX5;1\n`.repeat(9)),
      ]),
    );
    expect(found).toEqual(letters.map((word) => [word, type]));
  });
  test('has no type of the name that its content cannot be', async () => {
    expect(await typeOf('picture.bmp', 'BM meeting of May 3rd\n')).toBe('text/plain');
    expect(await typeOf('main.rs', 'fn main() {}\n')).toBe('text/x-rust');
    expect(await typeOf('logo.svg', 'no picture')).toBe('text/plain');
    expect(await typeOf('chapter.asc', '= A title\n')).toBe('text/plain');
    expect(await typeOf('plan.mpp', 'just text')).toBe('text/plain');
  });
});

describe('bytes with a short signature', () => {
  const noise = Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 89 + 7) % 256));
  const signatures = [
    'BM',
    'MZ',
    'GIF',
    'ID3',
    'FWS',
    'SQLi',
    'BZh',
    '\x78\x01',
    '\x0b\x77',
    '\x60\xea',
  ];
  test('are not taken for a format without a second sign', async () => {
    const found = await Promise.all(
      signatures.map((word) =>
        typeOf('blob.dat', Buffer.from(`${word}${noise.toString('latin1')}`, 'latin1')),
      ),
    );
    expect(found).toEqual(signatures.map(() => 'application/octet-stream'));
  });
  test('are that format with a second sign in the content', async () => {
    const bitmap = Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]);
    bitmap.writeUInt32LE(40, 14);
    const program = Buffer.alloc(400);
    program.write('MZ');
    program.writeUInt32LE(0x80, 0x3c);
    program.write('PE\0\0', 0x80, 'latin1');
    const gif = Buffer.from('47494638396101000100800000000000ffffff21f9040100000000', 'hex');
    const sound = Buffer.concat([
      Buffer.from('ID3\x03\0\0\0\0\x20\0', 'latin1'),
      Buffer.alloc(400),
    ]);
    const database = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(400)]);
    expect(
      await Promise.all(
        [bitmap, program, gif, sound, database].map((one) => typeOf('blob.dat', one)),
      ),
    ).toEqual([
      'image/bmp',
      'application/vnd.microsoft.portable-executable',
      'image/gif',
      'audio/mpeg',
      'application/vnd.sqlite3',
    ]);
  });
  test('are that format when the name says so too', async () => {
    expect(await typeOf('picture.bmp', Buffer.concat([Buffer.from('BM'), noise]))).toBe(
      'image/bmp',
    );
    expect(await typeOf('song.mp3', Buffer.concat([Buffer.from([0xff, 0xfb, 0x90]), noise]))).toBe(
      'audio/mpeg',
    );
  });
});

describe('the character encoding of a text', () => {
  const words = 'Größe;Straße\n';
  const little = Buffer.from(`\ufeff${words}`, 'utf16le');
  const kept: [string, string, Buffer, string][] = [
    ['UTF-8', 'text/csv', Buffer.from(words), 'utf-8'],
    ['UTF-8 with a mark', 'text/csv', Buffer.from(`\ufeff${words}`), 'utf-8'],
    ['UTF-16', 'text/csv', little, 'utf-16le'],
    ['UTF-16, big-endian', 'text/csv', Buffer.from(little).swap16(), 'utf-16be'],
    ['Windows', 'text/csv', Buffer.from(words, 'latin1'), 'windows-1252'],
    [
      'Windows, with letters of a format',
      'text/csv',
      Buffer.from(`BM;${words}`, 'latin1'),
      'windows-1252',
    ],
  ];
  test.each(kept)('%s is found and given to readers', async (_name, type, bytes, charset) => {
    const body = await upload('sizes.csv', bytes);
    const answer = await app.get(`/api/v3/attachments/${body.id}/content`, editor);
    expect([body.contentType, answer.headers.get('content-type')]).toEqual([
      type,
      `text/plain; charset=${charset}`,
    ]);
    expect(new TextDecoder(charset).decode(answer.bytes)).toContain(words);
  });
  test('a text of UTF-16 with XML has the type of its name', async () => {
    expect(
      await typeOf('plan.xml', Buffer.from('\ufeff<?xml version="1.0"?><plan/>', 'utf16le')),
    ).toBe('application/xml');
  });
  test('a wide text with control characters is no text', async () => {
    expect(await typeOf('blob.txt', Buffer.from('\ufeff\u0001\u0002', 'utf16le'))).toBe(
      'application/octet-stream',
    );
  });
});

test('a TIFF is known by its first bytes, also when its first directory stands behind the picture', async () => {
  const tiff = (order: 'II*\0' | 'MM\0*', length: number) => {
    const bytes = Buffer.alloc(length, 0xee);
    bytes.write(order, 'latin1');
    if (order === 'II*\0') bytes.writeUInt32LE(9_000, 4);
    else bytes.writeUInt32BE(9_000, 4);
    return bytes;
  };
  expect(await typeOf('scan.tiff', tiff('II*\0', 10_000))).toBe('image/tiff');
  expect(await typeOf('scan', tiff('MM\0*', 10_000))).toBe('image/tiff');
  // It ends before the directory.
  expect(await typeOf('scan.tiff', tiff('II*\0', 3_000))).toBe('application/octet-stream');
});

test('an entry of the allowlist allows every name of its type', async () => {
  const strict = await startApp({
    ATTACHMENT_ALLOWLIST: 'application/x-rar-compressed, message/rfc822, application/zip',
  });
  try {
    const admin = await strict.given.user({ admin: true });
    const { attachments } = await strict.given.post(await strict.given.project(), admin);
    const add = async (fileName: string, form: Content) =>
      (await strict.upload(attachments, { as: admin, fileName, content: content[form] })).status;
    expect([
      await add('old.rar', 'rar'),
      await add('mail.eml', 'mail'),
      await add('all.zip', 'zip'),
      await add('notes.txt', 'text'),
    ]).toEqual([200, 200, 200, 422]);
  } finally {
    await strict.stop();
  }
});
