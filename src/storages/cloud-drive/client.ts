/** The only place that speaks to the drive's API: status first, then the code, never the message. */
import type { HttpAnswer } from '../../outbound/client.js';
import type { Access } from '../adapter.js';
import { at, failureOf, jsonObject, StorageFailure } from '../failure.js';

const SMALL = 1024 * 1024;

export type Json = { [member: string]: unknown };

/** A JSON answer of the API. @throws StorageFailure */
export async function get(access: Access, path: string, maxBytes?: number): Promise<Json> {
  const answer = await ask(access, { path, ...(maxBytes !== undefined && { maxBytes }) });
  if (answer.status !== 200) throw failureOf(answer.status);
  return jsonObject(answer);
}

/** An answer of the API, whatever its status; with a body it is asked by POST. @throws OutboundFailure */
export const ask = (
  access: Access,
  { path, body, maxBytes = SMALL }: { path: string; body?: Json; maxBytes?: number },
): Promise<HttpAnswer> =>
  access.send({
    method: body ? 'POST' : 'GET',
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
 * An address that a client of ours is sent to: https, or the scheme of the API itself where that is less.
 * @throws StorageFailure which does not name it; it is as good as a password
 */
export function handedOut({ apiUrl }: Access, address: unknown, status: number): string {
  // It goes on as it is, into headers too.
  const protocol =
    typeof address === 'string' && /^[\x21-\x7e]+$/.test(address) && URL.canParse(address)
      ? new URL(address).protocol
      : undefined;
  if (protocol === 'https:' || (protocol !== undefined && protocol === new URL(apiUrl).protocol))
    return address as string;
  throw new StorageFailure('unexpected', status, 'The storage gave no address that can be used.');
}

/** Path of the drive of a storage. */
export const drive = ({ driveId }: { driveId: string | null }): string =>
  `/drives/${encodeURIComponent(driveId ?? '')}`;

export { at };
