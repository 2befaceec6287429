/** Reads values from JSON answers of storages without trusting their shape. */
import { StorageFailure } from './failure.js';

export type Json = { [member: string]: unknown };

/** Whether a value has members. Arrays do: PHP writes an object with the keys 0, 1, … as one. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null;

/** Whether the media type of an answer is some kind of JSON. Storages spell it in many ways. */
export const hasJson = (headers: { [name: string]: string }): boolean =>
  /json/i.test(headers['content-type'] ?? '');

/** Returns the JSON object of an answer. @throws StorageFailure if the body is anything else */
export function jsonObject({
  status,
  headers,
  body,
}: {
  status: number;
  headers: { [name: string]: string };
  body: Buffer;
}): Json {
  try {
    const value: unknown = hasJson(headers) ? JSON.parse(body.toString('utf8')) : undefined;
    if (isObject(value) && !Array.isArray(value)) return value;
  } catch {
    // Truncated JSON ends like any other unusable answer.
  }
  throw new StorageFailure(
    'unexpected',
    status,
    'The storage answered with something that is not JSON.',
  );
}

/** Returns the member at a path of names; undefined if there is none. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (current, name) =>
      isObject(current) && Object.hasOwn(current, name) ? current[name] : undefined,
    value,
  );
}

const LARGEST_STATUS = 999;

/** Returns a status from the body of an answer; undefined for invalid ones such as 1e400. */
export const statusIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LARGEST_STATUS
    ? value
    : undefined;
