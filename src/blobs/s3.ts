/** A blob store in a bucket of any S3-compatible service. */
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
  /** Absent: Amazon's endpoint for the region. */
  endpoint?: string | undefined;
  /** The address of the store for clients, if it is not `endpoint`. */
  publicEndpoint?: string | undefined;
  region: string;
  bucket: string;
  /**
   * Absent: the credential chain of the SDK (environment, profile, role of the machine), without
   * direct uploads.
   */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Addresses have the bucket in their path instead of in their host name. */
  forcePathStyle: boolean;
}

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
/** Shared by all uploads of this process; each of them may send at least one part. */
const PARTS_OF_ALL_UPLOADS = 16;

/** Prefix of finished blobs. Staging keys are object names without a further prefix. */
const FINISHED = 'files/';

const CONNECT_MS = 3000;
/** The store may copy five gigabytes before it answers. */
const COPY_MS = 15 * 60_000;

export function openS3(options: S3Options, overrides: Partial<typeof defaults> = {}): Blobs {
  const tuning = { ...defaults, ...overrides };
  const Bucket = options.bucket;
  let opening: Promise<Connection> | undefined;
  const connection = () => (opening ??= connect(options, tuning));
  let uploads = 0;

  return {
    async put(key, body) {
      const Key = nameOf(key);
      const { s3, Upload } = await connection();
      const observed = observe(body);
      uploads += 1;
      try {
        const params = { Bucket, Key, Body: Readable.from(observed.chunks) };
        const queueSize = Math.min(Math.ceil(PARTS_OF_ALL_UPLOADS / uploads), PARTS_OF_ONE_UPLOAD);
        await new Upload({ client: s3, params, partSize: PART, queueSize }).done();
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
        // The ETag must still match: a client may overwrite its direct upload meanwhile.
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
            const key = keyOf(present(Key));
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
          const key = keyOf(Key);
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
          `The bucket ${bucket} cannot be used (${reason(error)}): ${advice(error)}.`,
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
          const { createPresignedPost, publicS3 } = await connection();
          try {
            // Each field becomes a condition: exactly this key, this type, this status.
            const Fields = { 'Content-Type': contentType, success_action_status: '201' };
            // The package has its own copy of the client's types; only private members differ.
            const client = publicS3 as unknown as Parameters<typeof CreatePresignedPost>[0];
            const { url, fields } = await createPresignedPost(client, {
              Bucket,
              Key,
              Fields,
              Conditions: [['content-length-range', 0, size]],
              Expires: seconds,
            });
            // Stores ignore the case of the names. Clients expect `policy` in lower case.
            const { key: name, Policy: policy, ...others } = fields;
            const ordered = { key: present(name), ...others, policy: present(policy) };
            return {
              href: url,
              method: 'post',
              fields: Object.entries(ordered).map(([name, value]) => ({ name, value })),
            };
          } catch (error) {
            throw translated(`sign a form for ${Key}`, error);
          }
        },
      } satisfies Partial<Blobs>)),
  };
}

type Connection = Awaited<ReturnType<typeof connect>>;

/** Loads the SDK at the first use, because that is the slowest part of a start. */
async function connect(
  { endpoint, publicEndpoint, region, bucket, credentials, forcePathStyle }: S3Options,
  { silence }: typeof defaults,
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
    // Some stores do not support the SDK's default checksums. Signatures cover the bodies anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The header would open a new connection for each part.
    expectContinueHeader: false,
  };
  const s3 = new S3({ ...config, requestHandler: { ...agents(50), socketTimeout: silence } });
  // For slow responses. A client that reads slowly blocks a socket for a long time, so the number
  // of sockets is unlimited, and the body has its own time-out (`failOnSilence`).
  const slowS3 = new S3({
    ...config,
    requestHandler: {
      ...agents(Infinity),
      requestTimeout: silence,
      throwOnRequestTimeout: true,
      socketTimeout: 0,
    },
  });
  // Sends no requests; it signs for the address that clients use.
  const clientEndpoint = publicEndpoint ?? endpoint;
  const publicS3 = new S3({ ...config, ...(clientEndpoint && { endpoint: clientEndpoint }) });
  const { url: address } = publicS3.config.endpointProvider({
    Bucket: bucket,
    Region: region,
    ForcePathStyle: forcePathStyle,
    UseFIPS: false,
    UseDualStack: false,
    Accelerate: false,
    ...(clientEndpoint && { Endpoint: clientEndpoint }),
  });
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: publicS3.config.credentials,
    sha256: publicS3.config.sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  return { s3, slowS3, publicS3, address, signer, Upload, createPresignedPost };
}

const agents = (maxSockets: number) => ({
  httpAgent: withConnectTimeout(new HttpAgent({ keepAlive: true, maxSockets, maxFreeSockets: 50 })),
  httpsAgent: withConnectTimeout(
    new HttpsAgent({ keepAlive: true, maxSockets, maxFreeSockets: 50 }),
  ),
});

/**
 * Destroys sockets that do not connect in time. The SDK's own time-out would also count the time
 * that a request waits for a free socket.
 */
function withConnectTimeout<T extends HttpAgent>(agent: T): T {
  // Node documents `createConnection`; its types leave out the socket that it returns.
  const opener = agent as unknown as { createConnection(...args: unknown[]): Socket };
  const open = opener.createConnection.bind(agent);
  opener.createConnection = (...args) => {
    const socket = open(...args);
    const timeOut = () =>
      socket.connecting &&
      socket.destroy(
        Object.assign(new Error(`no connection within ${CONNECT_MS} ms`), { code: 'ETIMEDOUT' }),
      );
    // `setImmediate` first lets the event loop process connections made while it was busy.
    const timer = setTimeout(() => setImmediate(timeOut), CONNECT_MS);
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
    return socket;
  };
  return agent;
}

const nameOf = (key: string) => (checkedKey(key).startsWith(STAGING) ? key : FINISHED + key);

/** @returns undefined for an object that this service did not store */
function keyOf(name: string): string | undefined {
  const key = name.startsWith(FINISHED) ? name.slice(FINISHED.length) : name;
  try {
    return nameOf(key) === name ? key : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Passes a body on, counts its bytes, and records its own failure, apart from those of the store.
 */
function observe(body: AsyncIterable<Uint8Array>) {
  const observed = { size: 0, failed: false, failure: undefined as unknown, chunks: pass() };
  async function* pass() {
    let yielding = false;
    try {
      for await (const chunk of body) {
        observed.size += chunk.byteLength;
        yielding = true;
        yield chunk;
        yielding = false;
      }
    } catch (error) {
      // When the store fails, the surrounding stream throws at the `yield`.
      if (!yielding) Object.assign(observed, { failed: true, failure: error });
      throw error;
    }
  }
  return observed;
}

/**
 * Destroys a body when the store sends nothing any more. With a slow reader the body has unread
 * bytes, and there is no time-out.
 */
function failOnSilence(body: IncomingMessage, silence: number): Readable {
  const { socket } = body;
  let silentSince: number | undefined;
  const onTimeout = () => {
    const received = socket.bytesRead;
    // Twice in a row: a slow reader may have read the last bytes just now.
    if (body.readableLength === 0 && received === silentSince)
      return void body.destroy(new Error(`The store sent nothing for ${silence} ms.`));
    silentSince = body.readableLength === 0 ? received : undefined;
    socket.setTimeout(silence / 2);
  };
  socket.setTimeout(silence / 2).on('timeout', onTimeout);
  body.once('close', () => socket.setTimeout(0).off('timeout', onTimeout));
  return body;
}

interface CopyRequest {
  Bucket: string;
  Key: string;
  CopySource: string;
  CopySourceIfMatch: string | undefined;
}

/** Copies an object part by part. When a part fails, nothing is stored. */
async function copyParts(
  { s3, slowS3 }: Pick<Connection, 's3' | 'slowS3'>,
  request: CopyRequest,
  size: number,
  partSize: number,
): Promise<void> {
  const { Bucket, Key } = request;
  const { UploadId } = await s3.createMultipartUpload({ Bucket, Key });
  try {
    const Parts: CompletedPart[] = [];
    for (let start = 0; start < size; start += partSize) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + partSize, size) - 1}`;
      const { CopyPartResult } = await slowS3.uploadPartCopy(
        { ...request, UploadId, PartNumber, CopySourceRange },
        { requestTimeout: COPY_MS },
      );
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await slowS3.completeMultipartUpload(
      { Bucket, Key, UploadId, MultipartUpload: { Parts } },
      { requestTimeout: COPY_MS },
    );
  } catch (error) {
    // If this fails too, `unfinished` finds the parts later.
    await s3.abortMultipartUpload({ Bucket, Key, UploadId }).catch(() => undefined);
    throw error;
  }
}

/** Lists multipart uploads; the SDK has no paginator for them. */
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
    yield* (page.Uploads ?? []).map(({ Key, UploadId }) => ({
      Key: present(Key),
      UploadId: present(UploadId),
    }));
  } while (page.IsTruncated);
}

interface VendorError {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number; requestId?: string };
}

/** The SDK types every member of an answer as optional. S3 always sends those read with this. */
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The store left out a required part of its answer.');
  return value;
}

/** Whether an object or upload is missing. A missing bucket is another failure. */
const isNotFound = (error: unknown) =>
  (error as VendorError).$metadata?.httpStatusCode === 404 &&
  (error as VendorError).name !== 'NoSuchBucket';

const translated = (what: string, error: unknown) =>
  new BlobsUnavailable(new Error(`The store could not ${what}: ${reason(error)}.`));

/** Codes only: messages of vendors may contain addresses with signatures. */
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

/** Percent-encoding as signatures require it (RFC 3986). */
const encoded = (value: string) =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
