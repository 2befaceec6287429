/** Uploaded files, and lists without pages. Their budgets are for each MiB and each row. */
import { oneOf } from '../../fuzz/hostile-values.js';
import { LISTED_ROW, UPLOADED_MIB } from '../budgets.js';
import type { Way } from '../way.js';
import { ATTACHMENTS } from '../world.js';

interface Upload {
  name: string;
  mib: number;
  /** The content repeats these bytes. */
  bytes: readonly number[];
}

const MIB = 1024 * 1024;
const MAX_MIB = 4;
/** The beginnings of files that are looked at more closely. */
const BEGINNINGS: readonly (readonly number[])[] = [
  [0],
  [0x50, 0x4b, 3, 4],
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
  [...Buffer.from('<svg><!--')],
  [...Buffer.from('%PDF-')],
  [...Buffer.from('<?xml version="1.0"?>')],
];
const NAMES = ['a.txt', 'a.docx', 'a.zip', 'a.svg', 'a'];

export const uploads: Way<Upload> = {
  name: 'uploaded files',
  budget: UPLOADED_MIB,
  units: ({ mib }) => mib,
  first: () => BEGINNINGS.map((bytes) => ({ name: 'a.txt', mib: 2, bytes })),
  change: ({ bytes }, random) => ({
    name: oneOf(random, NAMES),
    mib: 1 + random.integer(MAX_MIB),
    bytes: [...bytes, random.integer(256), ...oneOf(random, BEGINNINGS)].slice(-100),
  }),
  requests: ({ name, mib, bytes }, { workPackage }) => [
    {
      method: 'POST',
      path: `/api/v3/work_packages/${workPackage}/attachments`,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.concat([
        Buffer.from(
          `--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"${name}"}\r\n` +
            `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
        ),
        Buffer.alloc(mib * MIB, Buffer.from(bytes)),
        Buffer.from('\r\n--b--\r\n'),
      ]),
    },
  ],
};

export const lists: Way<number> = {
  name: 'lists without pages',
  budget: LISTED_ROW,
  units: () => ATTACHMENTS,
  first: () => [0],
  change: (input) => input,
  requests: (_input, { workPackage }) => [
    { method: 'GET', path: `/api/v3/work_packages/${workPackage}/attachments` },
  ],
};
