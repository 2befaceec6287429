/** Files that want to harm what reads them. All are small. */
import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG whose pixels need no space in the file. */
export function emptyPng(width: number, height: number, rows: number, more: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(rows * (width * 4 + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const text = (lines: string) => Buffer.from(lines);
const svg = (inside: string, size = 'width="90" height="90"', before = '') =>
  text(
    `<?xml version="1.0"?>${before}<svg xmlns="http://www.w3.org/2000/svg" ` +
      `xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" ${size}>${inside}</svg>`,
  );
const entities = (levels: number) =>
  Array.from(
    { length: levels },
    (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
  ).join('');

const pdf = (objects: string) =>
  text(`%PDF-1.4\n${objects}\ntrailer << /Root 1 0 R /Size 9 >>\n%%EOF\n`);

/** Those that no program can read, by what they do. */
export const unreadable: { [name: string]: { contentType: string; content: Buffer } } = {
  'a PNG of 900 megapixels': {
    contentType: 'image/png',
    content: emptyPng(30_000, 30_000, 1),
  },
  'a PNG whose rows are missing': { contentType: 'image/png', content: emptyPng(900, 900, 10) },
  'a GIF that is larger than its bytes': {
    contentType: 'image/gif',
    content: Buffer.concat([text('GIF89a'), Buffer.from([255, 255, 255, 255, 0, 0, 0, 0x2c])]),
  },
  'a TIFF whose directory leads to itself': {
    contentType: 'image/tiff',
    content: Buffer.from('49492a0008000000000008000000', 'hex'),
  },
  'an SVG of 10 gigapixels': {
    contentType: 'image/svg+xml',
    content: svg('', 'width="100000" height="100000"'),
  },
  'an SVG with a billion entities': {
    contentType: 'image/svg+xml',
    content: svg(
      '<text>&e9;</text>',
      'width="9" height="9"',
      `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities(9)}]>`,
    ),
  },
  'an SVG that calls itself a PNG': { contentType: 'image/png', content: svg('<rect/>') },
  'a text that calls itself a JPEG': { contentType: 'image/jpeg', content: text('../../etc') },
  'a PDF whose pages contain themselves': {
    contentType: 'application/pdf',
    content: pdf(
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n' +
        '2 0 obj << /Type /Pages /Kids [2 0 R] /Count 1 >> endobj',
    ),
  },
  'a PDF that is none': { contentType: 'application/pdf', content: text('%PDF-1.7\n') },
};

/** Drawings that name what lies elsewhere. They are drawn without it. */
export const curious = (address: string, file: string): { [name: string]: Buffer } => ({
  'a picture of another server': svg(`<image xlink:href="${address}" width="90" height="90"/>`),
  'a picture of the disk': svg(`<image href="file://${file}" width="90" height="90"/>`),
  'a style sheet of another server': svg(
    `<style>@import url("${address}"); rect { fill: url(${address}#a) }</style><rect width="9" height="9"/>`,
  ),
  'a part of another file': svg(
    `<xi:include href="${file}" parse="text"/><rect width="9" height="9"/>`,
  ),
  'an entity of the disk': svg(
    '<text y="50">&file;</text>',
    'width="90" height="90"',
    `<!DOCTYPE svg [<!ENTITY file SYSTEM "file://${file}">]>`,
  ),
});
