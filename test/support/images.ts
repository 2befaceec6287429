/** Images for tests: headers that say a size, with any bytes behind them. */

export function png(width = 8, height = 8, size = 100): Buffer {
  const bytes = Buffer.alloc(size, 7);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** A JPEG with a table, a fill byte and then the frame header. */
export function jpeg(width: number, height: number, frame = 0xc2): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height);
  size.writeUInt16BE(width, 2);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xc4, 0, 4, 1, 2, 0xff, 0xff, frame, 0, 17, 8]),
    size,
    Buffer.alloc(20, 1),
  ]);
}

export const SET_AVATAR =
  'mutation ($file: Upload!, $id: ID!) { setAvatar(input: { userId: $id, file: $file }) { user { databaseId avatarUrl } } }';
