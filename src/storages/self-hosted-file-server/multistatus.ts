/** Reads the responses in a WebDAV answer (RFC 4918, section 13), piece by piece. */
import { StringDecoder } from 'node:string_decoder';
import sax, { type SAXParser } from 'sax';
import { Slices } from '../../concurrency/slices.js';

/** An element without its namespace prefix and its attributes. */
export interface Element {
  name: string;
  text: string;
  children: Element[];
}

/** A response has six levels. */
const MOST_LEVELS = 32;
/** A folder with 38,000 files has about a million elements. */
const MOST_ELEMENTS_IN_ALL = 1_500_000;
/** An element has a few declarations of namespaces. */
const MOST_ATTRIBUTES = 64;

/** Limits of one response. */
export interface ResponseLimits {
  elements: number;
  /** Characters. */
  text: number;
}

/** A file has about 25 elements. The longest path has 4,096 bytes, percent-encoded 12 KiB. */
const ONE_FILE: ResponseLimits = { elements: 1_000, text: 64 * 1024 };

/** Characters in a name, a comment or a value of an attribute. Longer text comes in parts. */
sax.MAX_BUFFER_LENGTH = 8 * 1024;
/** Bytes that are parsed at once. */
const PIECE = 8 * 1024;

/**
 * Calls `take` with each response. Entities of a document type are not expanded.
 * @throws Error if the body is not a complete `multistatus` document within the limits
 */
export async function readResponses(
  body: Buffer,
  take: (response: Element) => void,
  limits: ResponseLimits = ONE_FILE,
): Promise<void> {
  const decoder = new StringDecoder('utf8');
  const parser = parserOf(take, limits);
  const slices = new Slices();
  for (let at = 0; at < body.length; at += PIECE) {
    if (body.length > PIECE) await slices.pause();
    // The parser looks at the lengths of its buffers each time it is so far.
    parser.position = at;
    parser.write(decoder.write(body.subarray(at, at + PIECE)));
  }
  demand(parser.closedRoot);
  parser.close();
}

function parserOf(take: (response: Element) => void, limits: ResponseLimits): SAXParser {
  const parser = sax.parser(true, { position: false, strictEntities: true });
  const response = new OpenResponse(limits);
  let level = 0;
  let elements = 0;
  let attributes = 0;
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentagstart = () => {
    attributes = 0;
  };
  parser.onattribute = () => {
    attributes += 1;
    demand(attributes <= MOST_ATTRIBUTES);
  };
  parser.onopentag = ({ name: qualified }) => {
    const name = qualified.slice(qualified.indexOf(':') + 1);
    level += 1;
    elements += 1;
    demand(level <= MOST_LEVELS && elements <= MOST_ELEMENTS_IN_ALL);
    demand(level > 1 || (elements === 1 && name === 'multistatus'));
    if (response.isOpen || (level === 2 && name === 'response')) response.open(name);
  };
  parser.onclosetag = () => {
    level -= 1;
    const whole = response.close();
    if (whole) take(whole);
  };
  parser.ontext = parser.oncdata = (text) => response.add(text);
  return parser;
}

/** The response that is being read, and the elements in it that are not closed yet. */
class OpenResponse {
  readonly #open: Element[] = [];
  #elements = 0;
  #characters = 0;

  constructor(private readonly limits: ResponseLimits) {}

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  open(name: string): void {
    if (!this.isOpen) this.#elements = this.#characters = 0;
    this.#elements += 1;
    demand(this.#elements <= this.limits.elements);
    const element = { name, text: '', children: [] };
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  add(text: string): void {
    const element = this.#open.at(-1);
    if (!element) return;
    this.#characters += text.length;
    demand(this.#characters <= this.limits.text);
    element.text += text;
  }

  /** @returns the whole response if its last element was closed */
  close(): Element | undefined {
    const element = this.#open.pop();
    return this.isOpen ? undefined : element;
  }
}

function demand(isWithin: boolean): void {
  if (!isWithin) throw new Error('The document is incomplete, or beyond the limits.');
}
