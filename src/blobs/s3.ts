/** Blobs as objects of one bucket, in any store that speaks S3. */
import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type {
  CompletedPart,
  ListMultipartUploadsOutput,
  S3,
  S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { createPresignedPost as CreatePresignedPost } from '@aws-sdk/s3-presigned-post';
import { BlobMissing, BlobsUnavailable, checkedKey, STAGING, type Blobs } from './store.js';

export interface S3Options {
  /** Absent: Amazon's own for the region. */
  endpoint?: string | undefined;
  /** Where clients reach the store, if not at `endpoint`. */
  publicEndpoint?: string | undefined;
  region: string;
  bucket: string;
  /** Absent: whatever the SDK finds (environment, profile, role of the machine); then there are no direct uploads. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** The bucket in the path of addresses instead of in their host name. */
  forcePathStyle: boolean;
}

const MEGABYTE = 1024 * 1024;

/** Sizes in bytes and times in milliseconds that tests make smaller. */
const usual = {
  /** Largest object that is copied in one request: a limit of S3. */
  copyLimit: 5 * 1024 * MEGABYTE,
  copyPart: 1024 * MEGABYTE,
  /** Entries of one page of a list. */
  page: 1000,
  /** A store that says nothing for so long is given up; sooner when it is only asked whether it is there. */
  silence: 30_000,
  checkSilence: 3000,
};

/** An upload holds the parts that are on their way in memory, and the one that grows. */
const PART = 8 * MEGABYTE;
const PARTS_OF_ONE_UPLOAD = 4;
/** Shared by the uploads of this process, each of which gets at least one. */
const PARTS_OF_ALL_UPLOADS = 16;

/** Finished blobs stand below it; staging keys are object names as they are. */
const FINISHED = 'files/';

/** Milliseconds. */
const CONNECT_WITHIN = 3000;
/** The store moves up to five gigabytes before it answers. */
const COPY_WITHIN = 15 * 60_000;

export function openS3(options: S3Options, changes: Partial<typeof usual> = {}): Blobs {
  const tuning = { ...usual, ...changes };
  const Bucket = options.bucket;
  let opening: Promise<Connection> | undefined;
  const connection = () => (opening ??= connect(options, tuning));
  let uploads = 0;

  return {
    async put(key, body) {
      const Key = nameOf(key);
      const { s3, Upload } = await connection();
      const watched = watch(body);
      uploads += 1;
      try {
        const params = { Bucket, Key, Body: Readable.from(watched.chunks) };
        const queueSize = Math.min(Math.ceil(PARTS_OF_ALL_UPLOADS / uploads), PARTS_OF_ONE_UPLOAD);
        await new Upload({ client: s3, params, partSize: PART, queueSize }).done();
        return { size: watched.size };
      } catch (error) {
        throw watched.failed ? watched.failure : translated(`store ${Key}`, error);
      } finally {
        uploads -= 1;
      }
    },

    async read(key, range) {
      const Key = nameOf(key);
      const { patient } = await connection();
      try {
        const { Body } = await patient.getObject({
          Bucket,
          Key,
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        });
        return endSilence(Body as IncomingMessage, tuning.silence);
      } catch (error) {
        throw missing(error) ? new BlobMissing(key) : translated(`read ${Key}`, error);
      }
    },

    async stat(key) {
      const Key = nameOf(key);
      const { s3 } = await connection();
      try {
        const { ContentLength } = await s3.headObject({ Bucket, Key });
        return { size: ContentLength! };
      } catch (error) {
        if (!missing(error)) throw translated(`look at ${Key}`, error);
        // An answer without a body does not say whether the object is missing, or its bucket.
        await this.check();
        return null;
      }
    },

    async copy(from, to) {
      const [source, Key] = [nameOf(from), nameOf(to)];
      const { s3, patient } = await connection();
      try {
        const { ContentLength: size = 0, ETag } = await s3.headObject({ Bucket, Key: source });
        // What was measured is what is copied: a client may still overwrite its upload.
        const what = {
          Bucket,
          Key,
          CopySource: encodeURI(`${Bucket}/${source}`),
          CopySourceIfMatch: ETag,
        };
        if (size > tuning.copyLimit) await copyParts({ s3, patient }, what, size, tuning.copyPart);
        // Without REPLACE the metadata that came with an upload would be kept, and no object could be copied onto itself.
        else
          await patient.copyObject(
            { ...what, MetadataDirective: 'REPLACE' },
            { requestTimeout: COPY_WITHIN },
          );
      } catch (error) {
        // An upload in parts that the store forgot, or has finished already, says nothing about the source.
        throw missing(error) && (error as VendorError).name !== 'NoSuchUpload'
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
        // Any other 404 may speak of the bucket, or come from somebody who is not the store.
        if ((error as VendorError).name !== 'NoSuchKey') throw translated(`remove ${Key}`, error);
      }
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
            const key = keyOf(Key!);
            if (key !== undefined) yield { key, size: Size!, modifiedAt: LastModified! };
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
          const key = keyOf(Key);
          if (key === undefined) continue;
          yield {
            key,
            async remove() {
              try {
                await s3.abortMultipartUpload({ Bucket, Key, UploadId });
              } catch (error) {
                if (!missing(error)) throw translated(`give up the upload of ${Key}`, error);
              }
            },
          };
        }
      }
    },

    async check() {
      const { patient } = await connection();
      try {
        await patient.headBucket({ Bucket }, { requestTimeout: tuning.checkSilence });
      } catch (error) {
        throw new Error(
          `The bucket ${JSON.stringify(Bucket)} cannot be used (${reason(error)}): ${advice(error)}.`,
        );
      }
    },

    async url(key, { contentType, disposition, seconds }) {
      const name = nameOf(key);
      const { address, signer } = await connection();
      try {
        const { path, query } = await signer.presign(
          {
            method: 'GET',
            protocol: address.protocol,
            hostname: address.hostname,
            path: `${address.pathname.replace(/\/$/, '')}/${name}`,
            headers: { host: address.host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
            query: {
              'response-content-disposition': disposition,
              'response-content-type': contentType,
            },
          },
          { expiresIn: seconds },
        );
        return `${address.origin}${path}?${Object.entries(query as { [name: string]: string })
          .map(([name, value]) => `${name}=${encoded(value)}`)
          .join('&')}`;
      } catch (error) {
        throw translated(`sign an address of ${name}`, error);
      }
    },

    ...(options.credentials &&
      ({
        async directUpload(key, { size, contentType, seconds }) {
          if (!key.startsWith(STAGING))
            throw new Error(`Not a staging key: ${JSON.stringify(key)}`);
          const Key = nameOf(key);
          const { createPresignedPost, outside } = await connection();
          try {
            // Every field becomes a condition of its own: exactly this key, this type, this status.
            const Fields = { 'Content-Type': contentType, success_action_status: '201' };
            // The package brings its own copy of the client's types, which differ in private members only.
            const client = outside as unknown as Parameters<typeof CreatePresignedPost>[0];
            const { url, fields } = await createPresignedPost(client, {
              Bucket,
              Key,
              Fields,
              Conditions: [['content-length-range', 0, size]],
              Expires: seconds,
            });
            // Stores ignore the case of the names; clients that look for one spell them as the interface does.
            const { key: name, Policy: policy, ...others } = fields;
            return {
              href: url,
              method: 'post',
              fields: Object.entries({ key: name!, ...others, policy: policy! }).map(
                ([name, value]) => ({ name, value }),
              ),
            };
          } catch (error) {
            throw translated(`sign a form for ${Key}`, error);
          }
        },
      } satisfies Partial<Blobs>)),
  };
}

type Connection = Awaited<ReturnType<typeof connect>>;

/** Loads the SDK, which takes longer than everything else at the start of a process that may never need it. */
async function connect(
  { endpoint, publicEndpoint, region, bucket, credentials, forcePathStyle }: S3Options,
  { silence }: typeof usual,
) {
  const [{ S3 }, { Upload }, { createPresignedPost }, { SignatureV4 }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
    import('@aws-sdk/s3-presigned-post'),
    import('@smithy/signature-v4'),
  ]);
  const config: S3ClientConfig = {
    region,
    forcePathStyle,
    maxAttempts: 3,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    // Other stores, and older ones, do not know the checksums that are usual at Amazon; bodies are signed anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open a connection of its own for each part.
    expectContinueHeader: false,
  };
  const s3 = new S3({ ...config, requestHandler: { ...agents(50), socketTimeout: silence } });
  // For answers that may take long: while a client reads slowly the socket behind it is idle, and is kept from all others.
  const patient = new S3({
    ...config,
    requestHandler: {
      ...agents(Infinity),
      requestTimeout: silence,
      throwOnRequestTimeout: true,
      socketTimeout: 0,
    },
  });
  // Sends nothing: it signs for the address that clients see.
  const outsideEndpoint = publicEndpoint ?? endpoint;
  const outside = new S3({ ...config, ...(outsideEndpoint && { endpoint: outsideEndpoint }) });
  const { url: address } = outside.config.endpointProvider({
    Bucket: bucket,
    Region: region,
    ForcePathStyle: forcePathStyle,
    UseFIPS: false,
    UseDualStack: false,
    Accelerate: false,
    ...(outsideEndpoint && { Endpoint: outsideEndpoint }),
  });
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: outside.config.credentials,
    sha256: outside.config.sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  return { s3, patient, outside, address, signer, Upload, createPresignedPost };
}

const agents = (maxSockets: number) => ({
  httpAgent: limited(new HttpAgent({ keepAlive: true, maxSockets, maxFreeSockets: 50 })),
  httpsAgent: limited(new HttpsAgent({ keepAlive: true, maxSockets, maxFreeSockets: 50 })),
});

/** Gives up connections that take too long. The SDK's own limit would also count the time that a request waits for a free socket. */
function limited<T extends HttpAgent>(agent: T): T {
  const opener = agent as unknown as { createConnection(...args: unknown[]): Socket };
  const open = opener.createConnection.bind(agent);
  opener.createConnection = (...args) => {
    const socket = open(...args);
    const giveUp = () =>
      socket.connecting &&
      socket.destroy(
        Object.assign(new Error(`no connection within ${CONNECT_WITHIN} ms`), {
          code: 'ETIMEDOUT',
        }),
      );
    // Not before the connections are counted that came about while this process was busy.
    const timer = setTimeout(() => setImmediate(giveUp), CONNECT_WITHIN);
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
    return socket;
  };
  return agent;
}

const nameOf = (key: string) => (checkedKey(key).startsWith(STAGING) ? key : FINISHED + key);

/** @returns undefined for an object that is none of ours */
function keyOf(name: string): string | undefined {
  const key = name.startsWith(FINISHED) ? name.slice(FINISHED.length) : name;
  try {
    return nameOf(key) === name ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Passes a body on, counts its bytes, and remembers its own failure apart from those of the store. */
function watch(body: AsyncIterable<Uint8Array>) {
  const watched = { size: 0, failed: false, failure: undefined as unknown, chunks: pass() };
  async function* pass() {
    let passing = false;
    try {
      for await (const chunk of body) {
        watched.size += chunk.byteLength;
        passing = true;
        yield chunk;
        passing = false;
      }
    } catch (error) {
      // The stream around it throws in here too when the store fails.
      if (!passing) Object.assign(watched, { failed: true, failure: error });
      throw error;
    }
  }
  return watched;
}

/** Ends a body whose store fell silent. A slow reader leaves bytes waiting in the body, and may take its time. */
function endSilence(body: IncomingMessage, silence: number): Readable {
  const { socket } = body;
  let silentSince: number | undefined;
  const onTimeout = () => {
    const received = socket.bytesRead;
    // Asked twice: a reader may have taken the last of a long rest just now.
    if (body.readableLength === 0 && received === silentSince)
      return void body.destroy(new Error(`The store sent nothing for ${silence} ms.`));
    silentSince = body.readableLength === 0 ? received : undefined;
    socket.setTimeout(silence / 2);
  };
  socket.setTimeout(silence / 2).on('timeout', onTimeout);
  body.once('close', () => socket.setTimeout(0).off('timeout', onTimeout));
  return body;
}

/** Copies an object part by part: all of it or, when a part fails, nothing. */
async function copyParts(
  { s3, patient }: Pick<Connection, 's3' | 'patient'>,
  what: { Bucket: string; Key: string; CopySource: string; CopySourceIfMatch: string | undefined },
  size: number,
  partSize: number,
): Promise<void> {
  const { Bucket, Key } = what;
  const { UploadId } = await s3.createMultipartUpload({ Bucket, Key });
  try {
    const Parts: CompletedPart[] = [];
    for (let start = 0; start < size; start += partSize) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + partSize, size) - 1}`;
      const { CopyPartResult } = await patient.uploadPartCopy(
        { ...what, UploadId, PartNumber, CopySourceRange },
        { requestTimeout: COPY_WITHIN },
      );
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await patient.completeMultipartUpload(
      { Bucket, Key, UploadId, MultipartUpload: { Parts } },
      { requestTimeout: COPY_WITHIN },
    );
  } catch (error) {
    // What cannot be taken back now is found by `unfinished` later.
    await s3.abortMultipartUpload({ Bucket, Key, UploadId }).catch(() => undefined);
    throw error;
  }
}

/** The SDK has no paginator for these. */
async function* multipartUploads(
  s3: S3,
  input: { Bucket: string; Prefix: string; MaxUploads: number },
): AsyncGenerator<{ Key: string; UploadId: string }> {
  let page: ListMultipartUploadsOutput | undefined;
  do {
    try {
      page = await s3.listMultipartUploads({
        ...input,
        KeyMarker: page?.NextKeyMarker,
        UploadIdMarker: page?.NextUploadIdMarker,
      });
    } catch (error) {
      throw translated(`list the unfinished uploads below ${input.Prefix}`, error);
    }
    yield* (page.Uploads ?? []).map(({ Key, UploadId }) => ({ Key: Key!, UploadId: UploadId! }));
  } while (page.IsTruncated);
}

interface VendorError {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number; requestId?: string };
}

/** A missing object or upload; a missing bucket is a failure. */
const missing = (error: unknown) =>
  (error as VendorError).$metadata?.httpStatusCode === 404 &&
  (error as VendorError).name !== 'NoSuchBucket';

const translated = (what: string, error: unknown) =>
  new BlobsUnavailable(new Error(`The store could not ${what}: ${reason(error)}.`));

/** Codes only: what vendors write beside them may contain addresses with signatures. */
function reason(error: unknown): string {
  const { name, code, $metadata: { httpStatusCode, requestId } = {} } = error as VendorError;
  const details = [
    httpStatusCode && `status ${httpStatusCode}`,
    requestId && `request ${requestId}`,
  ].filter(Boolean);
  return [code ?? name ?? 'unknown error', details.length > 0 && `(${details.join(', ')})`]
    .filter(Boolean)
    .join(' ');
}

function advice(error: unknown): string {
  const status = (error as VendorError).$metadata?.httpStatusCode;
  if (status === 404) return 'it does not exist there; create it, or name another one';
  if (status === 403)
    return 'the access key is unknown or may not use it; check the key and its permissions';
  if (status === 301 || status === 400)
    return 'it seems to be in another region; check the region and the endpoint';
  return 'the store gives no usable answer; check that it runs and that the endpoint is right';
}

/** Percent-encoding as signatures demand it. */
const encoded = (value: string) =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
