/** Renders Markdown as HTML, within a budget. */
import MarkdownIt, { type StateBlock, type StateInline, type Token } from 'markdown-it';
import { isLonger } from '../contract/text-rules.js';
import { escapeHtml } from './escape-html.js';

/**
 * Steps of the parser for all texts of a request. A step takes 0.1 to 0.5 microseconds. Prose takes
 * two steps for each character, lists and tables four or five.
 */
const MAX_STEPS = 500_000;
/** A part of the document must be made, changed and written. */
const STEPS_OF_A_TOKEN = 6;
/** Plain characters are only searched and copied. */
const CHARACTERS_OF_A_STEP = 16;
const MAX_CHARACTERS = 64 * 1024;
const MAX_ATTRIBUTES = 100_000;

class TooExpensive extends Error {}

/** The steps that the texts of one request have left. */
class Steps {
  #left = MAX_STEPS;
  #leftForText = 0;

  begin(): void {
    // Half of the rest: so a few texts cannot take what the others of their list need.
    this.#leftForText = this.#left / 2;
  }

  /** @throws TooExpensive */
  take(steps: number): void {
    if (this.#leftForText < steps) throw new TooExpensive();
    this.#leftForText -= steps;
    this.#left -= steps;
  }
}

/** The Markdown of one request. What exceeds the budget is shown as it was entered. */
export class Rendering {
  readonly #steps = new Steps();
  /** A document can ask for a text several times. */
  readonly #rendered = new Map<string, string>();

  htmlOf(raw: string): string {
    let html = this.#rendered.get(raw);
    if (html === undefined) this.#rendered.set(raw, (html = this.#render(raw)));
    return html;
  }

  #render(raw: string): string {
    if (isLonger(raw, MAX_CHARACTERS)) return asEntered(raw);
    this.#steps.begin();
    running = this.#steps;
    try {
      running.take(raw.length / CHARACTERS_OF_A_STEP);
      const tokens = parser.parse(raw, {});
      if (attributeLength(tokens) <= Math.max(MAX_ATTRIBUTES, 2 * raw.length))
        return parser.renderer.render(tokens, parser.options, {}).trim();
    } catch {
      // Too expensive, or an error of the parser: the text is shown as it was entered.
    } finally {
      running = undefined;
    }
    return asEntered(raw);
  }
}

const asEntered = (raw: string): string => `<p>${escapeHtml(raw).replaceAll('\n', '<br>\n')}</p>`;

/**
 * The total length of all attributes.
 * A reference is written once, but each of its uses prints its address again. Only the printed text
 * is large, because the tokens share the address.
 */
function attributeLength(tokens: Token[]): number {
  let length = 0;
  for (const { children } of tokens)
    for (const { attrs } of children ?? [])
      for (const [, value] of attrs ?? []) length += String(value).length;
  return length;
}

/** The budget of the text that is parsed. Parsing does not wait for anything. */
let running: Steps | undefined;

const parser = new MarkdownIt({ html: false, linkify: false });

/** A ruler with its private list. The version of the library is therefore pinned exactly. */
interface Rules {
  __rules__: { name: string; fn: (...args: never[]) => unknown; alt: string[] }[];
  at(name: string, rule: (...args: never[]) => unknown, options: { alt: string[] }): void;
}

/**
 * Counts each call of a rule as a step. Rules are tried at each line and each special character.
 * For quotations they are tried again for each level that a line may be in.
 */
function countSteps(ruler: Rules): void {
  for (const { name, fn, alt } of ruler.__rules__)
    ruler.at(
      name,
      (...args) => {
        running?.take(1);
        return fn(...args);
      },
      { alt },
    );
}
for (const ruler of [parser.block.ruler, parser.inline.ruler, parser.inline.ruler2])
  countSteps(ruler as unknown as Rules);

// markdown-it fills short table rows up to the width of the head: 2 kB become 65,000 cells.
parser.block.State = class extends parser.block.State {
  override push(...args: Parameters<StateBlock['push']>): Token {
    running?.take(STEPS_OF_A_TOKEN);
    return super.push(...args);
  }
};
parser.inline.State = class extends parser.inline.State {
  override push(...args: Parameters<StateInline['push']>): Token {
    running?.take(STEPS_OF_A_TOKEN);
    return super.push(...args);
  }
};
