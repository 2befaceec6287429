/** The only place that knows how this server says no: OCS answers most failures with HTTP 200. */
import type { Access, Target } from '../adapter.js';
import { at, failureOf, jsonObject, statusIn, StorageFailure } from '../failure.js';

/** Answers about one thing are small; lists ask for more. */
const SMALL = 1024 * 1024;

/** What an OCS route answers with, past its envelope: by GET, or by POST where there is JSON to send. @throws StorageFailure by the OCS status, not the HTTP one */
export async function ocs(
  to: Target & Partial<Access>,
  path: string,
  { json, maxBytes = SMALL }: { json?: object; maxBytes?: number } = {},
): Promise<unknown> {
  const answer = await to.send({
    method: json ? 'POST' : 'GET',
    url: `${to.origin}ocs/${path}`,
    maxBytes,
    // Without the first header: 412. Without the second: XML.
    headers: {
      'ocs-apirequest': 'true',
      accept: 'application/json',
      ...(json && { 'content-type': 'application/json' }),
      ...(to.authorization !== undefined && { authorization: to.authorization }),
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  // A route that does not know the user may answer with an empty page and 200.
  if (answer.status === 200 && answer.body.length === 0) throw failureOf(401);
  // Proxies in front answer without an envelope.
  if (answer.status >= 400 && !/json/i.test(answer.headers['content-type'] ?? ''))
    throw failureOf(answer.status);
  const envelope = jsonObject(answer);
  const code = statusIn(at(envelope, 'ocs', 'meta', 'statuscode'));
  if (code === undefined)
    throw answer.status >= 400
      ? failureOf(answer.status)
      : new StorageFailure(
          'unexpected',
          answer.status,
          'The storage answered with something that is not OCS.',
        );
  if (code !== OCS_OK && code !== HTTP_OK)
    throw failureOf(statusOf(code), `The storage answered with OCS status ${code}.`);
  return at(envelope, 'ocs', 'data');
}

const OCS_OK = 100;
const HTTP_OK = 200;

/** OCS has numbers of its own for three of them. */
const statusOf = (code: number): number => ({ 996: 500, 997: 401, 998: 404 })[code] ?? code;
