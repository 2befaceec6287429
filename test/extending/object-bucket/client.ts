/** Signed requests to the bucket, and signed addresses for clients. */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { HttpAnswer } from '../../outbound/http.js';
import type { Access } from '../adapter.js';
import { encoded, urlOf } from './address.js';
import { session, type Session } from './session.js';

interface BucketRequest {
  method: 'GET' | 'HEAD' | 'PUT';
  key?: string;
  query?: { [name: string]: string };
  headers?: { [name: string]: string };
}

/** The bucket, with the keys of one user. */
export interface Bucket {
  /** The response, with any status. @throws OutboundFailure */
  send(request: BucketRequest): Promise<HttpAnswer>;
  /** An address that works without other credentials. */
  signed(method: 'GET' | 'PUT', key: string): Promise<string>;
}

const LIST_BYTES = 4 * 1024 * 1024;
const LINK_SECONDS = 300;
const PAYLOAD = 'x-amz-content-sha256';

/** @throws StorageFailure `unauthorized` if the token is refused */
export const openBucket = async (access: Access): Promise<Bucket> =>
  bucketOf(access, await session(access));

function bucketOf(access: Access, { credentials }: Session): Bucket {
  const signer = new SignatureV4({
    service: 's3',
    region: 'us-east-1',
    credentials,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const prepared = (url: URL, { method, query = {}, headers = {} }: BucketRequest) => ({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query,
    headers: { host: url.host, ...headers },
  });
  return {
    async send({ method, key, ...rest }) {
      const url = urlOf(access, key);
      const request = await signer.sign(prepared(url, { method, ...rest }));
      const { host: _host, ...headers } = request.headers;
      const address = addressOf(url, rest.query ?? {});
      return access.send({ method, url: address, headers, maxBytes: LIST_BYTES });
    },
    async signed(method, key) {
      const url = urlOf(access, key);
      const request = prepared(url, { method, headers: { [PAYLOAD]: 'UNSIGNED-PAYLOAD' } });
      const { query } = await signer.presign(request, { expiresIn: LINK_SECONDS });
      return addressOf(url, query as { [name: string]: string });
    },
  };
}

function addressOf(url: URL, query: { [name: string]: string }): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return `${url.origin}${url.pathname}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** In the form that the signer needs. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = typeof secret === 'string' || secret === undefined ? secret : bytesOf(secret);
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }

  reset(): void {
    throw new Error('A hash is used once.');
  }
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
