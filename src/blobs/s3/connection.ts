/** Opens the clients of the SDK for a bucket. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { S3ClientConfig } from '@aws-sdk/client-s3';

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
  /** Whether addresses have the bucket in their path instead of in their host name. */
  forcePathStyle: boolean;
}

const CONNECT_MS = 3000;

export type Connection = Awaited<ReturnType<typeof connect>>;

/**
 * Loads the SDK at the first use, because that is the slowest part of a start.
 * @param silence time-out in milliseconds for a store that sends nothing
 */
export async function connect(
  { endpoint, publicEndpoint, region, bucket, credentials, forcePathStyle }: S3Options,
  { silence }: { silence: number },
) {
  const [{ S3 }, { Upload }, { createPresignedPost }, { S3RequestPresigner }, { formatUrl }] =
    await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/lib-storage'),
      import('@aws-sdk/s3-presigned-post'),
      import('@aws-sdk/s3-request-presigner'),
      import('@aws-sdk/util-format-url'),
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
    // The header `Expect: 100-continue` would open a new connection for each part.
    expectContinueHeader: false,
  };
  const s3 = new S3({ ...config, requestHandler: { ...agents(50), socketTimeout: silence } });
  // For slow responses. A client that reads slowly blocks a socket for a long time. So the number
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
  // Sends no requests. It signs for the address that clients use.
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
  // `getSignedUrl` of the package builds a command first, and takes nine times as long.
  const presigner = new S3RequestPresigner(publicS3.config);
  return { s3, slowS3, publicS3, address, presigner, formatUrl, Upload, createPresignedPost };
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
