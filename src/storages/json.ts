/** Reads values from JSON answers of storages without trusting their shape. */
import { JSONParser, TokenType } from '@streamparser/json';
import { Slices } from '../concurrency/slices.js';
import { StorageFailure } from './failure.js';

export type Json = { [member: string]: unknown };

/** Whether a value has members. Arrays do: PHP writes an object with the keys 0, 1, … as one. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null;

/** Whether the media type of an answer is some kind of JSON. Storages spell it in many ways. */
export const hasJson = (headers: { [name: string]: string }): boolean =>
  /json/i.test(headers['content-type'] ?? '');

/** Returns the JSON object of an answer. @throws StorageFailure if the body is anything else */
export async function jsonObject({
  status,
  headers,
  body,
}: {
  status: number;
  headers: { [name: string]: string };
  body: Buffer;
}): Promise<Json> {
  try {
    const value = hasJson(headers) ? await parsed(body) : undefined;
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

/** Bytes that the engine parses in a few milliseconds, whatever they are. */
const SMALL = 256 * 1024;
/** Bytes that are parsed at once in a larger answer. */
const PIECE = 16 * 1024;
/** Limits of a larger answer. A page with 1,000 files has six levels and 150,000 tokens. */
const MOST_LEVELS = 32;
const MOST_TOKENS = 1_500_000;
/** Members of one object, or elements of one array. */
const MOST_MEMBERS = 100_000;
/** Bytes of one text or number. */
const LONGEST_TOKEN = 1024 * 1024;

const parsed = (body: Buffer): unknown =>
  body.length <= SMALL ? JSON.parse(body.toString('utf8')) : parsedInSlices(body);

/** @throws Error for anything but one JSON value within the limits */
async function parsedInSlices(body: Buffer): Promise<unknown> {
  let value: unknown;
  const limits = new Limits();
  const parser = new JSONParser({ paths: ['$'], stringBufferSize: PIECE });
  parser.onValue = (root) => {
    value = root.value;
  };
  parser.onToken = ({ token }) => limits.count(token);
  const slices = new Slices();
  for (let at = 0; at < body.length; at += PIECE) {
    await slices.pause();
    limits.piece();
    parser.write(body.subarray(at, at + PIECE));
  }
  if (!parser.isEnded) parser.end();
  return value;
}

/** Counts the parts of an answer. Each method throws beyond a limit. */
class Limits {
  #tokens = 0;
  #pieces = 0;
  /** Commas in each open object or array, the outermost first. */
  readonly #commas: number[] = [];

  count(token: TokenType): void {
    this.#pieces = 0;
    this.#tokens += 1;
    demand(this.#tokens <= MOST_TOKENS);
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      demand(this.#commas.push(0) <= MOST_LEVELS);
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      this.#commas.pop();
    } else if (token === TokenType.COMMA) {
      const commas = (this.#commas.pop() ?? 0) + 1;
      this.#commas.push(commas);
      demand(commas < MOST_MEMBERS);
    }
  }

  /** Call it for each piece of the answer. */
  piece(): void {
    this.#pieces += 1;
    demand(this.#pieces * PIECE <= LONGEST_TOKEN);
  }
}

function demand(isWithin: boolean): void {
  if (!isWithin) throw new Error('The answer is beyond the limits.');
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
