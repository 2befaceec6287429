/** Ids for requests: of what the caller sees, of what is hidden, of nothing. */
import type { Random } from '../../crash/random.js';
import { oneOf } from '../hostile-values.js';
import { typeNames, type Draw, type Noun, type Role } from './callers.js';
import { chance } from './noise.js';
import { MISSING_FROM, type World } from './world.js';
import type { Reply } from './wire.js';

/** Of everything, the hidden more rarely. An administrator would change the hermit's things, so they are not given to one. */
export function anything(random: Random, { things }: World, role: Role): Draw {
  const { everybodys, members, hermits } = things;
  return (noun) => {
    const own = [
      ...everybodys[noun],
      ...(role === 'admin' || role === 'member' ? members[noun] : []),
    ];
    const others =
      role === 'admin' ? [MISSING_FROM] : [...hermits[noun], ...members[noun], MISSING_FROM];
    return String(oneOf(random, own.length > 0 && !chance(random, 20) ? own : others));
  };
}

/** The same request twice: with ids of hidden things, and with ids of nothing in their places. */
export class Twins {
  /** What was drawn: ids, and of what; the same id may be that of several things. */
  readonly #pairs = new Map<string, { id: string; noun: Noun }>();

  constructor(
    readonly world: World,
    readonly hidden: boolean,
  ) {}

  /** Whether the request has an id of such a thing. */
  get used(): boolean {
    return this.#pairs.size > 0;
  }

  /** @param random in the same state for both */
  draw(random: Random): Draw {
    const { everybodys, hermits } = this.world.things;
    return (noun) => {
      const visible = everybodys[noun];
      const mixed = random.integer(100) < 30;
      const place = random.integer(Math.max(1, hermits[noun].length));
      const seen = random.integer(Math.max(1, visible.length));
      // Everybody who signed in sees all people.
      if (noun === 'users' || (mixed && visible.length > 0) || hermits[noun].length === 0)
        return String(visible[seen] ?? MISSING_FROM);
      const id = String(this.hidden ? hermits[noun][place] : MISSING_FROM + place);
      this.#pairs.set(`${noun} ${id}`, { id, noun });
      return id;
    };
  }

  /** An answer without the ids that it repeats, and without what each answer has of its own. */
  bare({ status, headers, text }: Reply): string {
    let told = `${status}\n${[...headers]
      .filter(([name]) => !['date', 'x-request-id'].includes(name))
      .map((line) => line.join(': '))
      .join('\n')}\n\n${text}`;
    for (const { id, noun } of this.#pairs.values()) {
      const place = String(Number(id) - (this.hidden ? 0 : MISSING_FROM));
      const index = this.hidden
        ? String(this.world.things.hermits[noun].indexOf(Number(id)))
        : place;
      told = told
        .replaceAll(
          Buffer.from(`${typeNames[noun]}:${id}`).toString('base64url'),
          `<global ${noun} ${index}>`,
        )
        .replaceAll(id, `<id ${index}>`);
    }
    return told;
  }
}
