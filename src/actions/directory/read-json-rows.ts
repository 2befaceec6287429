/** Reads the rows of a directory file one chunk at a time, so that a file of any size needs little memory. */
import { Tokenizer, TokenType } from '@streamparser/json';

/** What may stand somewhere in the file: a row, which is handed on whole, or something that holds rows. An object that is `announced` comes as a row without value before them. */
export type Place<R extends string = string> =
  { row: R } | { list: Place<R> } | { members: { [name: string]: Place<R> }; announced?: R };

export interface FoundRow<R extends string = string> {
  row: R;
  /** Where it stands, e.g. `projects[0].workPackages[3]`. */
  path: string;
  /** The indexes on the way, outermost first: `[0, 3]`. */
  indexes: number[];
  value: unknown;
}

/** Something that does not belong where it stands. */
export interface Problem {
  path: string;
  problem: string;
}

/** Opens the same file from its start each time it is called. */
export type OpenFile = () => AsyncIterable<Uint8Array>;

export class MalformedFile extends Error {}

/**
 * Yields the rows of a file and what does not belong there, in the order of the file, a chunk's worth at a time.
 * @throws MalformedFile for anything but one JSON value
 */
export async function* readRows<R extends string>(
  open: OpenFile,
  root: Place<R>,
): AsyncGenerator<(FoundRow<R> | Problem)[]> {
  let found: (FoundRow<R> | Problem)[] = [];
  const walk = new Walk(root, (one) => found.push(one as FoundRow<R> | Problem));
  const tokenizer = new Tokenizer();
  tokenizer.onToken = ({ token, value }) => walk.take(token, value);
  for await (const chunk of open()) {
    parse(() => tokenizer.write(chunk));
    if (found.length > 0) yield found;
    found = [];
  }
  parse(() => {
    if (!tokenizer.isEnded) tokenizer.end();
    walk.end();
  });
  if (found.length > 0) yield found;
}

function parse(step: () => void) {
  try {
    step();
  } catch (error) {
    throw new MalformedFile(`The file is not valid JSON: ${(error as Error).message}`);
  }
}

type Holder = unknown[] | { [name: string]: unknown };

/** An object or array that is open: one on the way to rows has a place, one inside a row a value, a skipped one neither. */
interface Frame {
  array: boolean;
  path: string;
  place?: Place | undefined;
  value?: Holder;
  /** The row that this is, when it is a whole one. */
  row?: string;
  key: string | number;
  /** Of the members of an object that were read so far. */
  names: Set<string>;
}

type Expected =
  'value' | 'value or ]' | 'member' | 'member or }' | ':' | ', or the end' | 'the end of the file';

/** Follows the tokens: builds rows, passes through what holds them, skips the rest. The library's own parser would keep everything above a row. */
class Walk {
  readonly #frames: Frame[] = [];
  #expected: Expected = 'value';

  constructor(
    private readonly root: Place,
    private readonly found: (one: FoundRow | Problem) => void,
  ) {}

  take(token: TokenType, value: unknown) {
    const top = this.#frames.at(-1);
    switch (token) {
      case TokenType.COMMA:
        if (this.#expected !== ', or the end') return this.#refuse('","');
        this.#expected = top!.array ? 'value' : 'member';
        if (top!.array) (top!.key as number) += 1;
        return;
      case TokenType.COLON:
        if (this.#expected !== ':') return this.#refuse('":"');
        this.#expected = 'value';
        return;
      case TokenType.RIGHT_BRACKET:
      case TokenType.RIGHT_BRACE: {
        const array = token === TokenType.RIGHT_BRACKET;
        const ends =
          this.#expected === ', or the end' ||
          this.#expected === (array ? 'value or ]' : 'member or }');
        if (!ends || top!.array !== array) return this.#refuse(array ? '"]"' : '"}"');
        this.#frames.pop();
        if (top!.row !== undefined) this.#emit(top!.row, top!.path, top!.value);
        return this.#afterValue();
      }
      default:
        if (this.#expected === 'member' || this.#expected === 'member or }')
          return this.#member(top!, token, value as string);
        if (this.#expected !== 'value' && this.#expected !== 'value or ]')
          return this.#refuse(JSON.stringify(value));
        if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET)
          return this.#open(top, token === TokenType.LEFT_BRACKET);
        this.#scalar(top, value);
        this.#afterValue();
    }
  }

  end() {
    if (this.#expected !== 'the end of the file')
      throw new Error(`it ends where ${this.#expected} is expected.`);
  }

  #refuse(token: string) {
    throw new Error(
      `${token} stands where ${this.#expected} is expected${this.#frames.length > 0 ? `, at ${pathIn(this.#frames.at(-1))}` : ''}.`,
    );
  }

  #member(top: Frame, token: TokenType, name: string) {
    if (token !== TokenType.STRING) this.#refuse('a value');
    top.key = name;
    // The second one would take the place of the first, and what was said of that would be said of this.
    if (top.names.has(name)) this.#problem(pathIn(top), 'is there twice');
    top.names.add(name);
    this.#expected = ':';
    if (top.place && !placeIn(top.place, name)) this.#problem(pathIn(top), 'unknown member');
  }

  #open(top: Frame | undefined, array: boolean) {
    const path = top?.value ? '' : pathIn(top);
    const frame: Frame = { array, path, key: array ? 0 : '', names: new Set() };
    if (top?.value) put(top, (frame.value = array ? [] : {}));
    else {
      const place = this.#placeBelow(top);
      if (place && 'row' in place) Object.assign(frame, { row: place.row, value: array ? [] : {} });
      else if (place && 'list' in place === array) {
        frame.place = place;
        if ('announced' in place) this.#emit(place.announced!, path, undefined);
      } else if (place) this.#problem(path, kindOf(place));
    }
    this.#frames.push(frame);
    this.#expected = array ? 'value or ]' : 'member or }';
  }

  #scalar(top: Frame | undefined, value: unknown) {
    if (top?.value) return put(top, value);
    const place = this.#placeBelow(top);
    if (!place) return;
    if ('row' in place) this.#emit(place.row, pathIn(top), value);
    else this.#problem(pathIn(top), kindOf(place));
  }

  #placeBelow(top: Frame | undefined): Place | undefined {
    return top ? top.place && placeIn(top.place, top.key) : this.root;
  }

  #afterValue() {
    this.#expected = this.#frames.length > 0 ? ', or the end' : 'the end of the file';
  }

  #emit(row: string, path: string, value: unknown) {
    const indexes = this.#frames.map(({ key }) => key).filter((key) => typeof key === 'number');
    this.found({ row, path, indexes, value });
  }

  #problem(path: string, problem: string) {
    this.found({ path, problem });
  }
}

const placeIn = (place: Place, key: string | number): Place | undefined =>
  'list' in place
    ? place.list
    : 'members' in place && Object.hasOwn(place.members, key)
      ? place.members[key]
      : undefined;

const kindOf = (place: Place) => ('list' in place ? 'must be an array' : 'must be an object');

const pathIn = (frame: Frame | undefined): string =>
  !frame
    ? ''
    : frame.array
      ? `${frame.path}[${frame.key}]`
      : frame.path === ''
        ? String(frame.key)
        : `${frame.path}.${frame.key}`;

/** A member named `__proto__` is a member like any other. */
function put({ array, value, key }: Frame, child: unknown) {
  if (array) (value as unknown[]).push(child);
  else if (key === '__proto__')
    Object.defineProperty(value, key, { value: child, enumerable: true });
  else (value as { [name: string]: unknown })[key] = child;
}
