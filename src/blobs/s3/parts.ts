/** Files that arrive in several requests, as parts of a multipart upload. */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { CompletedPart } from '@aws-sdk/client-s3';
import { BytesMissing, type ArrivingFile } from '../store.js';
import { COPY_MS } from './copy.js';
import type { Connection } from './connection.js';
import { isNotFound, present, translated } from './errors.js';
import { multipartUploads, partsOf } from './multipart-uploads.js';
import { nameOf } from './names.js';

/** Smallest size of a part here. S3 demands 5 MiB, except for the last part. */
const PART = 8 * 1024 * 1024;
/** A limit of S3. */
const MOST_PARTS = 10_000;

/** Each part has its place in the file, so that two requests with the same bytes do no harm. */
const partSizeOf = (size: number): number => Math.max(PART, Math.ceil(size / MOST_PARTS));

/** Bytes behind the last whole part. The name says where they end. */
const restKey = (key: string, end: number): string => `${key}-${end}`;

type Clients = Pick<Connection, 's3' | 'slowS3'>;

interface Target {
  Bucket: string;
  /** Parts that may be sent at the same time. */
  atOnce: number;
}

export async function appendParts(
  { s3 }: Clients,
  { Bucket, atOnce }: Target,
  file: ArrivingFile,
  {
    offset,
    body,
    durable,
  }: {
    offset: number;
    body: AsyncIterable<Uint8Array>;
    durable: (end: number) => Promise<void>;
  },
): Promise<void> {
  const { key, reference, size } = file;
  const Key = nameOf(key);
  const UploadId = present(reference ?? undefined);
  const partSize = partSizeOf(size);
  let start = offset - (offset % partSize);
  const earlier = offset > start ? await restOf(offset - start) : undefined;
  let chunks: Uint8Array[] = earlier ? [earlier] : [];
  let held = offset - start;
  const sending: Promise<void>[] = [];
  let confirmed: Promise<void> = Promise.resolve();

  async function restOf(length: number): Promise<Uint8Array> {
    try {
      const { Body } = await s3.getObject({ Bucket, Key: nameOf(restKey(key, offset)) });
      const rest = await buffer(Body as Readable);
      if (rest.length === length) return rest;
    } catch (error) {
      if (!isNotFound(error)) throw translated(`read the rest of ${Key}`, error);
    }
    throw new BytesMissing(start);
  }

  async function send(bytes: Uint8Array, PartNumber: number): Promise<void> {
    try {
      await s3.uploadPart({ Bucket, Key, UploadId, PartNumber, Body: bytes });
    } catch (error) {
      if (!isNotFound(error)) throw translated(`store a part of ${Key}`, error);
      await demandJoined(s3, Bucket, file);
    }
  }

  /** Takes the first bytes that are held. A later part is confirmed after the earlier ones. */
  async function sendPart(length: number): Promise<void> {
    const bytes = Buffer.concat(chunks);
    const rest = bytes.subarray(length);
    const sent = send(bytes.subarray(0, length), start / partSize + 1);
    start += length;
    chunks = rest.length > 0 ? [rest] : [];
    held = rest.length;
    const end = start;
    confirmed = Promise.all([confirmed, sent]).then(() => durable(end));
    confirmed.catch(() => undefined);
    sending.push(confirmed);
    if (sending.length >= atOnce) await sending.shift();
  }

  /** Keeps what is no whole part. */
  async function keepRest(): Promise<void> {
    const end = start + held;
    if (held > 0 && end === size) await sendPart(held);
    else if (held > 0 && end > offset) {
      const Body = Buffer.concat(chunks);
      try {
        await s3.putObject({ Bucket, Key: nameOf(restKey(key, end)), Body });
      } catch (error) {
        throw translated(`store the rest of ${Key}`, error);
      }
      await confirmed;
      await durable(end);
    }
    await confirmed;
    if (earlier && end > offset)
      // If this fails, the cleanup removes it.
      await s3.deleteObject({ Bucket, Key: nameOf(restKey(key, offset)) }).catch(() => undefined);
  }

  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      held += chunk.byteLength;
      while (held >= partSize) await sendPart(partSize);
    }
  } catch (error) {
    await keepRest();
    throw error;
  }
  await keepRest();
}

/** @throws BytesMissing when the store has lost a part */
export async function joinParts(
  { s3, slowS3 }: Clients,
  Bucket: string,
  file: ArrivingFile,
): Promise<void> {
  const { key, reference, size } = file;
  const Key = nameOf(key);
  const UploadId = present(reference ?? undefined);
  const partSize = partSizeOf(size);
  const Parts: CompletedPart[] = [];
  try {
    for await (const { PartNumber, ETag, Size } of partsOf(s3, { Bucket, Key, UploadId })) {
      const from = Parts.length * partSize;
      if (PartNumber !== Parts.length + 1 || Size !== Math.min(partSize, size - from))
        throw new BytesMissing(from);
      Parts.push({ PartNumber, ETag });
    }
    if (Parts.length < Math.ceil(size / partSize)) throw new BytesMissing(Parts.length * partSize);
    await slowS3.completeMultipartUpload(
      { Bucket, Key, UploadId, MultipartUpload: { Parts } },
      { requestTimeout: COPY_MS },
    );
  } catch (error) {
    if (error instanceof BytesMissing) throw error;
    if (!isNotFound(error)) throw translated(`put the parts of ${Key} together`, error);
    await demandJoined(s3, Bucket, file);
  }
}

/** An earlier attempt may have put the parts together. @throws BytesMissing if none did */
async function demandJoined(
  s3: Clients['s3'],
  Bucket: string,
  { key, size }: ArrivingFile,
): Promise<void> {
  const Key = nameOf(key);
  const stored = await s3.headObject({ Bucket, Key }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw translated(`look for ${Key}`, error);
  });
  if (stored?.ContentLength !== size) throw new BytesMissing(0);
}

/** Removes the object of a staging key, its parts and its rests. */
export async function discardParts({ s3 }: Clients, Bucket: string, key: string): Promise<void> {
  const Key = nameOf(key);
  try {
    const input = { Bucket, Prefix: Key, MaxUploads: 100 };
    for await (const { Key: Found, UploadId } of multipartUploads(s3, input))
      if (Found === Key)
        await s3.abortMultipartUpload({ Bucket, Key, UploadId }).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    for await (const { Contents = [] } of s3.paginateListObjectsV2({ Bucket, Prefix: Key }))
      for (const { Key: Found } of Contents) await s3.deleteObject({ Bucket, Key: Found });
  } catch (error) {
    throw translated(`remove ${Key}`, error);
  }
}
