/** Compares what HAL links and embedded resources show with what the caller reads at their addresses. */
import type { Answer, App } from '../../support/app.js';
import { isSteady, type Caller } from './graph.js';

interface Link {
  href: string | null;
  method?: string;
  title?: string;
  templated?: boolean;
}
interface Resource {
  _links?: { [name: string]: Link | Link[] };
  _embedded?: { [name: string]: unknown };
  [member: string]: unknown;
}

/** Addresses of one resource. */
const ONE = /^\/api\/v3\/[a-z_]+\/\d+$/;

/** Reads resources, and follows their links. Each address is read once. */
export class RestReader {
  readonly problems: string[] = [];
  readonly #answers = new Map<string, Promise<Answer>>();

  constructor(
    private readonly app: App,
    private readonly caller: Caller,
  ) {}

  async walk(addresses: readonly string[]): Promise<void> {
    const waiting = [...addresses];
    const known = new Set(waiting);
    for (let address = waiting.shift(); address; address = waiting.shift()) {
      const { status, body } = await this.#get(address);
      if (status !== 200) continue;
      for (const next of await this.#check(address, body as Resource))
        if (!known.has(next)) {
          known.add(next);
          waiting.push(next);
        }
    }
  }

  #get(address: string): Promise<Answer> {
    let answer = this.#answers.get(address);
    if (!answer) this.#answers.set(address, (answer = this.app.get(address, this.caller)));
    return answer;
  }

  /** @returns the addresses of single resources to which it links */
  async #check(from: string, resource: Resource): Promise<string[]> {
    const found: string[] = [];
    for (const [name, links] of Object.entries(resource._links ?? {}))
      for (const { href, method = 'get', title } of [links].flat()) {
        if (typeof href !== 'string' || method !== 'get' || !ONE.test(href)) continue;
        found.push(href);
        const { status, body } = await this.#get(href);
        if (status !== 200) this.problems.push(`${from} links as ${name} to ${href}: ${status}`);
        else if (title !== undefined && name !== 'self' && title !== titleOf(body as Resource))
          this.problems.push(`${from} calls ${href} ${title}, not ${titleOf(body as Resource)}`);
      }
    for (const embedded of resourcesIn(resource._embedded)) {
      found.push(...(await this.#check(from, embedded)));
      const self = embedded._links?.['self'];
      const href = self && !Array.isArray(self) ? self.href : null;
      if (typeof href !== 'string' || !ONE.test(href)) continue;
      const { status, body } = await this.#get(href);
      if (status !== 200) this.problems.push(`${from} embeds ${href}: ${status}`);
      else
        for (const [member, value] of Object.entries(embedded))
          if (!member.startsWith('_') && member in (body as Resource))
            if (textOf(value) !== textOf((body as Resource)[member]))
              this.problems.push(`${from} embeds ${href} with another ${member}`);
    }
    return found;
  }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (member, part: unknown) => (isSteady(member) ? part : undefined));

const titleOf = (resource: Resource): unknown =>
  (resource._links?.['self'] as Link | undefined)?.title;

function resourcesIn(value: unknown): Resource[] {
  if (Array.isArray(value)) return value.flatMap(resourcesIn);
  if (typeof value !== 'object' || value === null) return [];
  return '_links' in value || '_type' in value
    ? [value as Resource]
    : Object.values(value).flatMap(resourcesIn);
}
