/** Reads the rows of a directory file in chunks, so that a file of any size needs little memory. */
import { Tokenizer, TokenType } from '@streamparser/json';

/**
 * The expected value at one place of the file: a row, or a list or object that contains rows.
 * A row is read as a whole. An object with `startRow` is reported first, as a row without value.
 */
export type Place<R extends string = string> =
  { row: R } | { list: Place<R> } | { members: { [name: string]: Place<R> }; startRow?: R };

export interface FoundRow<R extends string = string> {
  row: R;
  /** E.g. `projects[0].workPackages[3]`. */
  path: string;
  /** The indexes on the way, outermost first: `[0, 3]`. */
  indexes: number[];
  value: unknown;
}

/** A value that is not allowed at its place in the file. */
export interface Problem {
  path: string;
  problem: string;
}

/** Opens the same file from its start each time it is called. */
export type OpenFile = () => AsyncIterable<Uint8Array>;

export class MalformedFile extends Error {}

/**
 * Yields the rows and problems of a file in their order, those of one chunk at a time.
 * @throws MalformedFile for anything but one JSON value
 */
export async function* readRows<R extends string>(
  open: OpenFile,
  root: Place<R>,
): AsyncGenerator<(FoundRow<R> | Problem)[]> {
  let found: (FoundRow<R> | Problem)[] = [];
  const walk = new Walk(root, (one) => found.push(one));
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

/**
 * An object or array that is open. Outside rows it has a place, within a row it has a value.
 * If it is skipped, it has neither.
 */
interface AnyFrame<R extends string> {
  path: string;
  place: Place<R> | undefined;
  /** Set if this is a whole row. */
  row: R | undefined;
}

interface ArrayFrame<R extends string> extends AnyFrame<R> {
  array: true;
  value: unknown[] | undefined;
  /** Index of the current item. */
  key: number;
}

interface ObjectFrame<R extends string> extends AnyFrame<R> {
  array: false;
  value: { [name: string]: unknown } | undefined;
  /** Name of the current member. */
  key: string;
  /** Names of the members read so far. */
  names: Set<string>;
}

type Frame<R extends string> = ArrayFrame<R> | ObjectFrame<R>;

type Expected =
  'value' | 'value or ]' | 'member' | 'member or }' | ':' | ', or the end' | 'the end of the file';

/**
 * Builds rows from tokens, and skips everything else.
 * Not the library's own parser, because that keeps all lists and objects around the rows in memory.
 */
class Walk<R extends string> {
  readonly #frames: Frame<R>[] = [];
  #expected: Expected = 'value';

  constructor(
    private readonly root: Place<R>,
    private readonly found: (one: FoundRow<R> | Problem) => void,
  ) {}

  take(token: TokenType, value: unknown) {
    const top = this.#frames.at(-1);
    switch (token) {
      case TokenType.COMMA:
        if (this.#expected !== ', or the end' || !top) return this.#refuse('","');
        this.#expected = top.array ? 'value' : 'member';
        if (top.array) top.key += 1;
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
        if (!ends || top?.array !== array) return this.#refuse(array ? '"]"' : '"}"');
        this.#frames.pop();
        if (top.row !== undefined) this.#emit(top.row, top.path, top.value);
        return this.#afterValue();
      }
      default:
        if (
          top?.array === false &&
          (this.#expected === 'member' || this.#expected === 'member or }')
        )
          return this.#member(top, token, value);
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

  #refuse(token: string): never {
    throw new Error(
      `${token} stands where ${this.#expected} is expected` +
        `${this.#frames.length > 0 ? `, at ${pathIn(this.#frames.at(-1))}` : ''}.`,
    );
  }

  #member(top: ObjectFrame<R>, token: TokenType, name: unknown) {
    if (token !== TokenType.STRING || typeof name !== 'string') return this.#refuse('a value');
    top.key = name;
    // The second member would replace the first. Problems of the first would be reported for it.
    if (top.names.has(name)) this.#problem(pathIn(top), 'is there twice');
    top.names.add(name);
    this.#expected = ':';
    if (top.place && !placeIn(top.place, name)) this.#problem(pathIn(top), 'unknown member');
  }

  #open(top: Frame<R> | undefined, array: boolean) {
    this.#frames.push(top?.value ? openInRow(top, array) : this.#openOutside(top, array));
    this.#expected = array ? 'value or ]' : 'member or }';
  }

  #openOutside(top: Frame<R> | undefined, array: boolean): Frame<R> {
    const path = pathIn(top);
    const place = this.#placeBelow(top);
    if (!place) return newFrame(array, { path });
    if ('row' in place) return newFrame(array, { path, row: place.row });
    if ('list' in place === array) {
      if ('members' in place && place.startRow !== undefined)
        this.#emit(place.startRow, path, undefined);
      return newFrame(array, { path, place });
    }
    this.#problem(path, kindOf(place));
    return newFrame(array, { path });
  }

  #scalar(top: Frame<R> | undefined, value: unknown) {
    if (top?.value) return put(top, value);
    const place = this.#placeBelow(top);
    if (!place) return;
    if ('row' in place) this.#emit(place.row, pathIn(top), value);
    else this.#problem(pathIn(top), kindOf(place));
  }

  #placeBelow(top: Frame<R> | undefined): Place<R> | undefined {
    return top ? top.place && placeIn(top.place, top.key) : this.root;
  }

  #afterValue() {
    this.#expected = this.#frames.length > 0 ? ', or the end' : 'the end of the file';
  }

  #emit(row: R, path: string, value: unknown) {
    const indexes = this.#frames.map(({ key }) => key).filter((key) => typeof key === 'number');
    this.found({ row, path, indexes, value });
  }

  #problem(path: string, problem: string) {
    this.found({ path, problem });
  }
}

const placeIn = <R extends string>(place: Place<R>, key: string | number): Place<R> | undefined =>
  'list' in place
    ? place.list
    : 'members' in place && Object.hasOwn(place.members, key)
      ? place.members[key]
      : undefined;

const kindOf = (place: Place) => ('list' in place ? 'must be an array' : 'must be an object');

const pathIn = <R extends string>(frame: Frame<R> | undefined): string =>
  !frame
    ? ''
    : frame.array
      ? `${frame.path}[${frame.key}]`
      : frame.path === ''
        ? String(frame.key)
        : `${frame.path}.${frame.key}`;

/** @param row the row that the frame is; it then gets a value */
function newFrame<R extends string>(
  array: boolean,
  { path, place, row }: { path: string; place?: Place<R>; row?: R },
  isValue = row !== undefined,
): Frame<R> {
  if (array) return { array, path, place, row, key: 0, value: isValue ? [] : undefined };
  const value = isValue ? {} : undefined;
  return { array, path, place, row, key: '', value, names: new Set() };
}

function openInRow<R extends string>(top: Frame<R>, array: boolean): Frame<R> {
  const frame = newFrame<R>(array, { path: '' }, true);
  put(top, frame.value);
  return frame;
}

/** Adds a child to an array or object. A member named `__proto__` must not set the prototype. */
function put<R extends string>(frame: Frame<R>, child: unknown) {
  if (frame.array) frame.value?.push(child);
  else if (frame.value && frame.key === '__proto__')
    Object.defineProperty(frame.value, frame.key, { value: child, enumerable: true });
  else if (frame.value) frame.value[frame.key] = child;
}
