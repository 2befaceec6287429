/** The storage of one case, with true responses or damaged ones. */
import { OutboundFailure } from '../../../src/outbound/failure.js';
import type { HttpAnswer, HttpRequest } from '../../../src/outbound/http.js';
import type { Random } from '../crash/random.js';
import { oneOf } from './hostile-values.js';
import { mutationNames, mutations } from './mutate.js';

/** True responses by their requests. */
export class Book {
  readonly #answers = new Map<string, HttpAnswer>();

  /** The first response to a request is kept. */
  note(key: string, answer: HttpAnswer): void {
    if (!this.#answers.has(key)) this.#answers.set(key, answer);
  }

  find(request: HttpRequest): HttpAnswer | undefined {
    return (
      this.#answers.get(keyOf(request)) ??
      this.#answers.get(looseKey(request.method, new URL(request.url)))
    );
  }

  get all(): HttpAnswer[] {
    return [...this.#answers.values()];
  }
}

export const keyOf = ({ method, url, headers = {}, body }: HttpRequest): string =>
  JSON.stringify([method, url, headers['depth'], body?.toString()]);

/** Without the parts in which recordings and adapters may differ. */
export const looseKey = (
  method: string,
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
): string => `${method} ${pathname}${search}`;

/** More than the pages of the largest folder. */
const MOST_REQUESTS = 600;
const LARGEST = 32 * 1024 * 1024;

export class Upstream {
  /** The damage to the responses, in their order. */
  readonly applied: string[] = [];
  /** Errors of the adapter. */
  readonly problems: string[] = [];
  #requests = 0;

  /**
   * @param others all responses of the storage
   * @param places the starts of addresses to which the adapter may send requests
   * @param truthful for a control
   */
  constructor(
    private readonly book: Book,
    private readonly others: readonly HttpAnswer[],
    private readonly places: readonly string[],
    private readonly random: Random,
    private readonly truthful: boolean,
  ) {}

  /** @returns the response @throws OutboundFailure if there is none */
  answer(request: HttpRequest): HttpAnswer {
    this.#requests += 1;
    if (this.#requests === MOST_REQUESTS) this.problems.push(`${MOST_REQUESTS} requests`);
    if (this.#requests >= MOST_REQUESTS)
      throw new OutboundFailure('timeout', 'There were too many requests.');
    if (
      !this.places.some(
        (place) => request.url.startsWith(place) && new URL(request.url).href.startsWith(place),
      )
    )
      this.problems.push(`a request to ${request.url.slice(0, 200)}`);
    const known = this.book.find(request);
    if (!known) this.applied.push('not recorded');
    const found =
      known ??
      (this.random.integer(2) === 0
        ? { status: 404, headers: {}, body: Buffer.alloc(0) }
        : oneOf(this.random, this.others));
    return this.truthful ? found : this.#wrong(found);
  }

  #wrong(answer: HttpAnswer): HttpAnswer {
    if (this.random.integer(40) === 0) {
      this.applied.push('no answer');
      throw new OutboundFailure(
        oneOf(this.random, ['connection', 'timeout', 'certificate', 'name', 'circuit']),
        'The connection failed.',
      );
    }
    if (this.random.integer(3) === 0) return answer;
    let changed = answer;
    for (let times = 1 + this.random.integer(2); times > 0; times -= 1) {
      const name = oneOf(this.random, mutationNames);
      this.applied.push(name);
      changed = mutations[name]!(this.random, changed, this.others);
    }
    return changed;
  }
}

/** The limits of the HTTP client for requests and responses. @throws OutboundFailure */
export function delivered(
  { maxBytes = LARGEST, headers = {} }: HttpRequest,
  answer: HttpAnswer,
): HttpAnswer {
  if (Object.values(headers).some((value) => /[^\t\x20-\x7e\x80-\xff]/.test(value)))
    throw new OutboundFailure('connection', 'A header cannot be sent.');
  if (answer.body.length > maxBytes)
    throw new OutboundFailure('size', `More than ${maxBytes} bytes.`);
  return answer;
}
