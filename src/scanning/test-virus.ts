/**
 * Makes an archive whose last member is the test virus of EICAR. A scanner that reads only the
 * beginning of a file does not find it.
 */
import { crc32 } from 'node:zlib';

/** In parts, so that scanners do not find it in this file. */
const TEST_VIRUS = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!', '$H+H*'].join(''),
);
const CHUNK = Buffer.alloc(256 * 1024);
const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const LOCAL_LENGTH = 30;
const CENTRAL_LENGTH = 46;
const END_LENGTH = 22;
/** 1 January 1980, the first day of the format. */
const DATE = 0x21;
const VERSION = 20;

interface Member {
  name: string;
  size: number;
  crc: number;
}

/** A ZIP archive without compression (APPNOTE.TXT section 4.3). @param bytes zeros before the virus */
export async function* testVirusBehind(bytes: number): AsyncGenerator<Buffer> {
  const zeros: Member = { name: 'zeros', size: bytes, crc: 0 };
  const virus: Member = { name: 'test', size: TEST_VIRUS.length, crc: crc32(TEST_VIRUS) };
  yield localHeader(zeros);
  for (let left = bytes; left > 0; left -= CHUNK.length)
    yield CHUNK.subarray(0, Math.min(left, CHUNK.length));
  const second = localHeader(virus);
  yield second;
  yield TEST_VIRUS;
  const secondAt = LOCAL_LENGTH + zeros.name.length + bytes;
  const start = secondAt + second.length + TEST_VIRUS.length;
  const central = Buffer.concat([centralHeader(zeros, 0), centralHeader(virus, secondAt)]);
  yield central;
  const end = Buffer.alloc(END_LENGTH);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(2, 8);
  end.writeUInt16LE(2, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(start, 16);
  yield end;
}

function localHeader({ name, size, crc }: Member): Buffer {
  const header = Buffer.alloc(LOCAL_LENGTH);
  header.writeUInt32LE(LOCAL_SIGNATURE, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(DATE, 12);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(size, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

function centralHeader({ name, size, crc }: Member, at: number): Buffer {
  const header = Buffer.alloc(CENTRAL_LENGTH);
  header.writeUInt32LE(CENTRAL_SIGNATURE, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(VERSION, 6);
  header.writeUInt16LE(DATE, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(size, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(at, 42);
  return Buffer.concat([header, Buffer.from(name)]);
}
