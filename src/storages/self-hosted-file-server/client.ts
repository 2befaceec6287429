/** Sends requests to the OCS API, which reports most failures inside an answer with HTTP 200. */
import type { Access, Target } from '../adapter.js';
import { failureOf, StorageFailure } from '../failure.js';
import { at, hasJson, jsonObject, statusIn } from '../json.js';

/** Answers about one object are small. Callers that list objects allow more. */
const SMALL = 1024 * 1024;
const OCS_OK = 100;
const HTTP_OK = 200;

interface OcsOptions {
  /** Absent: GET, or POST if there is `json` to send. */
  method?: 'POST' | 'DELETE';
  json?: object;
  form?: { [name: string]: string };
  maxBytes?: number;
}

/**
 * Returns the `data` of an OCS answer.
 * @throws StorageFailure whose status is the OCS status, not the HTTP status
 */
export async function ocs(
  to: Target & Partial<Access>,
  path: string,
  options?: OcsOptions,
): Promise<unknown> {
  const { code, data } = await envelopeOf(to, path, options);
  if (code !== OCS_OK && code !== HTTP_OK)
    throw failureOf(httpStatusOf(code), `The storage answered with OCS status ${code}.`);
  return data;
}

/**
 * Returns the OCS status of an answer, for routes with statuses of their own.
 * @throws StorageFailure if the server refuses the credentials, or does not answer with OCS
 */
export async function ocsCode(to: Access, path: string, options: OcsOptions): Promise<number> {
  const { code } = await envelopeOf(to, path, options);
  if (httpStatusOf(code) !== code) throw failureOf(httpStatusOf(code));
  return code;
}

async function envelopeOf(
  to: Target & Partial<Access>,
  path: string,
  { json, form, method = json ? 'POST' : undefined, maxBytes = SMALL }: OcsOptions = {},
): Promise<{ code: number; data: unknown }> {
  const answer = await to.send({
    method: method ?? 'GET',
    url: `${to.origin}ocs/${path}`,
    maxBytes,
    // Without the first header the server answers 412. Without the second it answers XML.
    headers: {
      'ocs-apirequest': 'true',
      accept: 'application/json',
      ...(json && { 'content-type': 'application/json' }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(to.authorization !== undefined && { authorization: to.authorization }),
    },
    ...(json && { body: JSON.stringify(json) }),
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
  // Some routes answer 200 with an empty body if the user is unknown.
  if (answer.status === 200 && answer.body.length === 0) throw failureOf(401);
  // Reverse proxies answer without an envelope.
  if (answer.status >= 400 && !hasJson(answer.headers)) throw failureOf(answer.status);
  const envelope = await jsonObject(answer);
  const code = statusIn(at(envelope, 'ocs', 'meta', 'statuscode'));
  if (code === undefined)
    throw answer.status >= 400
      ? failureOf(answer.status)
      : new StorageFailure(
          'unexpected',
          answer.status,
          'The storage answered with something that is not OCS.',
        );
  const isSuccess = code === OCS_OK || code === HTTP_OK;
  return {
    code: isSuccess && answer.status >= 400 ? answer.status : code,
    data: at(envelope, 'ocs', 'data'),
  };
}

/** OCS has its own numbers for three statuses. */
const httpStatusOf = (code: number): number => ({ 996: 500, 997: 401, 998: 404 })[code] ?? code;

/** File ids are numbers in JSON bodies. Other ids stay text: the server refuses them. */
export const jsonId = (id: string): number | string => (/^\d{1,15}$/.test(id) ? Number(id) : id);
