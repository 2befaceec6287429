/** Reads the members of a JSON object in a request. */
import {
  type ApiError,
  InvalidRequestBody,
  PropertyConstraintViolation,
} from '../../contract/errors.js';
import { MAX_LISTED_IDS } from '../../contract/limits.js';
import { withCommas } from '../../contract/words.js';
import { names } from '../documents/words.js';
import type { DigestInput } from '../generated/documents.js';

export interface JsonObject {
  readonly [name: string]: unknown;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** The first word of a message about a member. */
export const labelOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const own = (of: JsonObject, name: string): unknown =>
  Object.hasOwn(of, name) ? of[name] : undefined;

/** The links of a resource; empty if there are none. */
export const linksIn = (members: JsonObject): JsonObject => {
  const links = own(members, '_links');
  return isObject(links) ? links : {};
};

const MOST_NOTED = 100;

/** Replaces a value that is not a text: it counts as present, and is never stored. */
export const PLACEHOLDER = 'unknown';

/**
 * The members of a JSON object. Members of a wrong type are noted as input errors. The action
 * throws them after the 404 and 403 checks, so outsiders learn nothing about validation.
 */
export class Body {
  /** Links in the arrays that were read. */
  #links = 0;

  constructor(
    readonly members: JsonObject,
    private readonly inputErrors: ApiError[],
  ) {}

  has(name: string): boolean {
    return Object.hasOwn(this.members, name);
  }

  /** Notes an invalid body unless it has one of the spellings of each member. */
  demand(...members: readonly [string, ...string[]][]): void {
    for (const spellings of members)
      if (!spellings.some((name) => this.has(name)))
        this.note(new InvalidRequestBody(`The request body has no member ${spellings[0]}.`));
  }

  /** A text; undefined if it is absent or null. */
  text(name: string): string | undefined {
    return this.#textIn(own(this.members, name), name);
  }

  /** A text or null; undefined if it is absent. */
  textOrNull(name: string): string | null | undefined {
    return own(this.members, name) === null ? null : this.text(name);
  }

  /** A text, or the `raw` of a Formattable. */
  formattable(name: string): string | undefined {
    const value = own(this.members, name);
    return this.#textIn(isObject(value) ? own(value, 'raw') : value, name);
  }

  /** A path, or an id, which is a number in some storages. */
  idOrPath(name: string): string | undefined {
    const value = own(this.members, name);
    return typeof value === 'number' && Number.isSafeInteger(value)
      ? String(value)
      : this.text(name);
  }

  flag(name: string): boolean | undefined {
    return this.#given(
      own(this.members, name),
      (value) => typeof value === 'boolean',
      name,
      'must be true or false.',
    );
  }

  integer(name: string): number | undefined {
    return this.#given(
      own(this.members, name),
      (value): value is number =>
        Number.isInteger(value) && Math.abs(value as number) <= 2_147_483_647,
      name,
      'must be a whole number.',
    );
  }

  /** A number. The action checks its range. */
  number(name: string): number | undefined {
    return this.#given(
      own(this.members, name),
      (value): value is number => Number.isFinite(value),
      name,
      'must be a number.',
    );
  }

  /** The member `digest`. An unknown `algorithm` is absent: the action refuses it. */
  digest(): DigestInput | undefined {
    const isDigest = (value: unknown): value is { algorithm: string; hash: string } =>
      isObject(value) &&
      typeof value['algorithm'] === 'string' &&
      typeof value['hash'] === 'string';
    const digest = this.#given(
      own(this.members, 'digest'),
      isDigest,
      'digest',
      'must be an object with an algorithm and a hash.',
    );
    if (!digest) return undefined;
    const { digestAlgorithm } = names;
    const { algorithm, hash } = digest;
    return Object.hasOwn(digestAlgorithm, algorithm)
      ? { algorithm: digestAlgorithm[algorithm], hash }
      : { hash };
  }

  /**
   * The project in a link such as `{"href": "/api/v3/projects/3"}`, by its id or identifier.
   * Undefined without the link, null for a link without a target.
   */
  linkedProject(): string | null | undefined {
    const link = this.#link('project');
    if (isTargetless(link)) return null;
    return link === undefined ? undefined : this.#lastSegment(link, 'project', 'projects', NAME);
  }

  /**
   * The id in a link such as `{"href": "/api/v3/types/3"}`. Undefined without the link, null for a
   * link without a target.
   */
  linkedIdOrNull(name: string, segment: string): string | null | undefined {
    const link = this.#link(name);
    if (isTargetless(link)) return null;
    return link === undefined ? undefined : this.#hrefId(link, name, segment);
  }

  /** The `href` of a link; undefined without the link, null for a link without one. */
  linkedHref(name: string): string | null | undefined {
    const link = this.#link(name);
    return link === undefined ? undefined : (hrefOf(link) ?? null);
  }

  /**
   * The ids in an array of links; undefined if the member is absent, or a link without a target.
   * Also undefined for a link to the collection: clients send a resource back as they read it.
   * @param longer another form of the address
   */
  linkedIds(name: string, segment: string, longer?: string): string[] | undefined {
    const links = this.#link(name);
    if (
      links === undefined ||
      isTargetless(links) ||
      new RegExp(`^/api/v3/\\w+/\\d+/${segment}$`).test(hrefOf(links) ?? '')
    )
      return undefined;
    if (!Array.isArray(links)) return this.#wrong(name, 'must be an array of links.');
    this.#links += links.length;
    if (this.#links > MAX_LISTED_IDS)
      return this.#wrong(
        name,
        `has too many links. A body takes ${withCommas(MAX_LISTED_IDS)} at most, in all its lists.`,
      );
    const ids: string[] = [];
    for (const link of links) {
      const id = this.#hrefId(link, name, segment, longer);
      // The next links would get the same message.
      if (id === undefined) return undefined;
      ids.push(id);
    }
    return ids;
  }

  /** Notes an input error once, and at most a hundred in all. */
  note(problem: ApiError): undefined {
    if (
      this.inputErrors.length < MOST_NOTED &&
      !this.inputErrors.some(({ message }) => message === problem.message)
    )
      this.inputErrors.push(problem);
  }

  #wrong(name: string, problem: string): undefined {
    return this.note(new PropertyConstraintViolation(`${labelOf(name)} ${problem}`, name));
  }

  #textIn(value: unknown, name: string): string | undefined {
    if (value === undefined || value === null || typeof value === 'string')
      return value ?? undefined;
    return this.#wrong(name, 'must be a string.') ?? PLACEHOLDER;
  }

  #given<T>(
    value: unknown,
    fits: (value: unknown) => value is T,
    name: string,
    problem: string,
  ): T | undefined {
    if (value === undefined || value === null) return undefined;
    return fits(value) ? value : this.#wrong(name, problem);
  }

  #link(name: string): unknown {
    const links = own(this.members, '_links');
    if (links !== undefined && links !== null && !isObject(links))
      return this.note(
        new PropertyConstraintViolation('The member _links must be an object.', '_links'),
      );
    return isObject(links) ? own(links, name) : undefined;
  }

  #hrefId(link: unknown, name: string, segment: string, longer = segment): string | undefined {
    return this.#lastSegment(link, name, segment, ID, longer);
  }

  #lastSegment(
    link: unknown,
    name: string,
    segment: string,
    form: string,
    longer = segment,
  ): string | undefined {
    const address = new RegExp(`^/api/v3/(?:${segment}|${longer})/(${form})/?$`);
    return (
      decoded(address.exec(hrefOf(link) ?? '')?.[1]) ??
      this.#wrong(name, `takes links of the form {"href": "/api/v3/${segment}/1"}.`)
    );
  }
}

/** The last segment of the address of a row, or of a project. */
const ID = '\\d{1,20}';
const NAME = '[^/?#]{1,300}';

const isTargetless = (link: unknown): boolean =>
  link === null || (isObject(link) && own(link, 'href') === null);

/** @returns undefined for a segment that cannot be decoded */
function decoded(segment: string | undefined): string | undefined {
  try {
    return segment && decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const hrefOf = (link: unknown): string | undefined => {
  const href = isObject(link) ? own(link, 'href') : undefined;
  return typeof href === 'string' ? href : undefined;
};
