/** A blob store in a bucket of any S3-compatible service. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { connect, type Connection, type S3Options } from './s3/connection.js';
import { COPY_MS, copyParts } from './s3/copy.js';
import { hintFor, isNotFound, present, reason, translated, type VendorError } from './s3/errors.js';
import { multipartUploads } from './s3/multipart-uploads.js';
import { FINISHED, blobKeyOf, nameOf } from './s3/names.js';
import { appendParts, discardParts, joinParts } from './s3/parts.js';
import { signAddress, signForm } from './s3/signing.js';
import { failOnSilence, countBytes } from './s3/streams.js';
import { BlobMissing, STAGING, type Blobs } from './store.js';

const MEGABYTE = 1024 * 1024;

/** Sizes in bytes and times in milliseconds. Tests use smaller ones. */
const defaults = {
  /** Largest object that is copied in one request: a limit of S3. */
  copyLimit: 5 * 1024 * MEGABYTE,
  copyPart: 1024 * MEGABYTE,
  /** Entries in one page of a list. */
  page: 1000,
  /** Time-out for a store that sends nothing. */
  silence: 30_000,
  /** The same for `check`. */
  checkSilence: 3000,
};

/** An upload holds in memory the parts that are being sent, and the one that is being filled. */
const PART = 8 * MEGABYTE;
const PARTS_OF_ONE_UPLOAD = 4;
/** Shared by all uploads of this process. Each of them may send at least one part. */
const PARTS_OF_ALL_UPLOADS = 16;

export function openS3(options: S3Options, overrides: Partial<typeof defaults> = {}): Blobs {
  const tuning = { ...defaults, ...overrides };
  const Bucket = options.bucket;
  let opening: Promise<Connection> | undefined;
  const connection = () => (opening ??= connect(options, tuning));
  let uploads = 0;
  const partsAtOnce = () =>
    Math.min(Math.ceil(PARTS_OF_ALL_UPLOADS / uploads), PARTS_OF_ONE_UPLOAD);

  return {
    // One part is collected while one is sent. The bytes that arrive need a little more.
    memoryOf: (size) => Math.min(size, 2 * PART) + 2 * MEGABYTE,

    async put(key, body) {
      const Key = nameOf(key);
      const { s3, Upload } = await connection();
      const observed = countBytes(body);
      uploads += 1;
      try {
        const params = { Bucket, Key, Body: Readable.from(observed.chunks) };
        await new Upload({
          client: s3,
          params,
          partSize: PART,
          queueSize: partsAtOnce(),
        }).done();
        return { size: observed.size };
      } catch (error) {
        throw observed.failed ? observed.failure : translated(`store ${Key}`, error);
      } finally {
        uploads -= 1;
      }
    },

    async read(key, range) {
      const Key = nameOf(key);
      const { slowS3 } = await connection();
      try {
        const { Body } = await slowS3.getObject({
          Bucket,
          Key,
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        });
        // In Node.js the SDK's body is the response itself.
        return failOnSilence(Body as IncomingMessage, tuning.silence);
      } catch (error) {
        throw isNotFound(error) ? new BlobMissing(key) : translated(`read ${Key}`, error);
      }
    },

    async stat(key) {
      const Key = nameOf(key);
      const { s3 } = await connection();
      try {
        const { ContentLength } = await s3.headObject({ Bucket, Key });
        return { size: present(ContentLength) };
      } catch (error) {
        if (!isNotFound(error)) throw translated(`look at ${Key}`, error);
        // The response has no body, so a missing object looks like a missing bucket.
        await this.check();
        return null;
      }
    },

    async copy(from, to) {
      const [source, Key] = [nameOf(from), nameOf(to)];
      const { s3, slowS3 } = await connection();
      try {
        const { ContentLength: size = 0, ETag } = await s3.headObject({ Bucket, Key: source });
        // The ETag must still match: a client may overwrite its direct upload at any time.
        const request = {
          Bucket,
          Key,
          CopySource: encodeURI(`${Bucket}/${source}`),
          CopySourceIfMatch: ETag,
        };
        if (size > tuning.copyLimit)
          await copyParts({ s3, slowS3 }, request, size, tuning.copyPart);
        // REPLACE drops the metadata of an upload, and permits a copy of an object onto itself.
        else
          await slowS3.copyObject(
            { ...request, MetadataDirective: 'REPLACE' },
            { requestTimeout: COPY_MS },
          );
      } catch (error) {
        // NoSuchUpload is about the multipart upload of the copy, not about the source.
        throw isNotFound(error) && (error as VendorError).name !== 'NoSuchUpload'
          ? new BlobMissing(from)
          : translated(`copy ${source} to ${Key}`, error);
      }
    },

    async remove(key) {
      const Key = nameOf(key);
      const { s3 } = await connection();
      try {
        await s3.deleteObject({ Bucket, Key });
      } catch (error) {
        // Any other 404 may mean a missing bucket, or come from a proxy.
        if ((error as VendorError).name !== 'NoSuchKey') throw translated(`remove ${Key}`, error);
      }
    },

    async begin(key) {
      const Key = nameOf(key);
      const { s3 } = await connection();
      try {
        const { UploadId } = await s3.createMultipartUpload({ Bucket, Key });
        return present(UploadId);
      } catch (error) {
        throw translated(`begin the upload of ${Key}`, error);
      }
    },

    async append(file, offset, body, durable) {
      const clients = await connection();
      uploads += 1;
      try {
        const target = { Bucket, atOnce: partsAtOnce() };
        await appendParts(clients, target, file, { offset, body, durable });
      } finally {
        uploads -= 1;
      }
    },

    async finish(file) {
      await joinParts(await connection(), Bucket, file);
    },

    async discard(key) {
      await discardParts(await connection(), Bucket, key);
    },

    async *list(area = 'finished') {
      const { s3 } = await connection();
      const Prefix = area === 'staging' ? STAGING : FINISHED;
      try {
        for await (const { Contents = [] } of s3.paginateListObjectsV2({
          Bucket,
          Prefix,
          MaxKeys: tuning.page,
        })) {
          for (const { Key, Size, LastModified } of Contents) {
            const key = blobKeyOf(present(Key));
            if (key !== undefined)
              yield { key, size: present(Size), modifiedAt: present(LastModified) };
          }
        }
      } catch (error) {
        throw translated(`list ${Prefix}`, error);
      }
    },

    async *unfinished() {
      const { s3 } = await connection();
      for (const Prefix of [FINISHED, STAGING]) {
        for await (const { Key, UploadId } of multipartUploads(s3, {
          Bucket,
          Prefix,
          MaxUploads: tuning.page,
        })) {
          const key = blobKeyOf(Key);
          if (key === undefined) continue;
          yield {
            key,
            async remove() {
              try {
                await s3.abortMultipartUpload({ Bucket, Key, UploadId });
              } catch (error) {
                if (!isNotFound(error)) throw translated(`give up the upload of ${Key}`, error);
              }
            },
          };
        }
      }
    },

    async check() {
      const { slowS3 } = await connection();
      try {
        await slowS3.headBucket({ Bucket }, { requestTimeout: tuning.checkSilence });
      } catch (error) {
        const bucket = JSON.stringify(Bucket);
        throw new Error(
          `The bucket ${bucket} of S3_BUCKET cannot be used (${reason(error)}): ${hintFor(error)}.`,
        );
      }
    },

    async url(key, serving, method = 'GET') {
      return signAddress(await connection(), method, nameOf(key), serving);
    },

    async origin() {
      return (await connection()).address.origin;
    },

    ...(options.credentials &&
      ({
        async directUpload(key, limits) {
          if (!key.startsWith(STAGING))
            throw new Error(`Not a staging key: ${JSON.stringify(key)}`);
          return signForm(await connection(), { Bucket, Key: nameOf(key) }, limits);
        },
      } satisfies Partial<Blobs>)),
  };
}
