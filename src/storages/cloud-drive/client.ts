/** Sends requests to the API of the drive. Failures depend on the status, never on the message. */
import type { HttpAnswer } from '../../outbound/http.js';
import type { Access } from '../adapter.js';
import { failureOf, StorageFailure } from '../failure.js';
import { jsonObject, type Json } from '../json.js';

const SMALL = 1024 * 1024;

/** Returns the JSON object of an answer with status 200. @throws StorageFailure, OutboundFailure */
export async function get(access: Access, path: string, maxBytes?: number): Promise<Json> {
  const answer = await ask(access, { path, ...(maxBytes !== undefined && { maxBytes }) });
  if (answer.status !== 200) throw failureOf(answer.status);
  return jsonObject(answer);
}

export interface ApiRequest {
  path: string;
  body?: Json;
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Of the answer. */
  maxBytes?: number;
}

/**
 * Returns the answer to a request, whatever its status. Without a method it is a GET, or a POST if
 * there is a body.
 * @throws OutboundFailure
 */
export const ask = (
  access: Access,
  { path, body, method = body ? 'POST' : 'GET', maxBytes = SMALL }: ApiRequest,
): Promise<HttpAnswer> =>
  access.send({
    method,
    url: `${access.apiUrl}${path}`,
    maxBytes,
    headers: {
      accept: 'application/json',
      authorization: access.authorization,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

/**
 * Checks an address that is passed on to a client. It must be https, or have the scheme of the API.
 * @throws StorageFailure without the address in the message: the address works like a password
 */
export function checkedAddress({ apiUrl }: Access, address: unknown, status: number): string {
  if (typeof address === 'string' && isUsable(address, new URL(apiUrl).protocol)) return address;
  throw new StorageFailure('unexpected', status, 'The storage gave no address that can be used.');
}

/** The address is also sent in a header, so it must be visible ASCII. */
function isUsable(address: string, apiProtocol: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(address) || !URL.canParse(address)) return false;
  const { protocol } = new URL(address);
  return protocol === 'https:' || protocol === apiProtocol;
}

/** The API path of the drive of a storage. */
export const drive = ({ driveId }: { driveId: string | null }): string =>
  `/drives/${encodeURIComponent(driveId ?? '')}`;
