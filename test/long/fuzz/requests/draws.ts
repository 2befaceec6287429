/** Ids for requests: of visible records, of hidden ones and of missing ones. */
import type { Random } from '../../crash/random.js';
import { oneOf } from '../hostile-values.js';
import { typeNames, type Draw, type Noun, type Role } from './callers.js';
import { chance } from './noise.js';
import { MISSING_FROM, type World } from './world.js';
import type { Reply } from './wire.js';

/** Ids of all records, hidden ones less often. An administrator gets no hidden ids, because it could change those records. */
export function anything(random: Random, { things }: World, role: Role): Draw {
  const { publicThings, members, hiddenThings } = things;
  return (noun) => {
    const own = [
      ...publicThings[noun],
      ...(role === 'admin' || role === 'member' ? members[noun] : []),
    ];
    const others =
      role === 'admin' ? [MISSING_FROM] : [...hiddenThings[noun], ...members[noun], MISSING_FROM];
    return String(oneOf(random, own.length > 0 && !chance(random, 20) ? own : others));
  };
}

/** The same request twice: with ids of hidden records, and with ids of missing ones in their place. */
export class Twins {
  /** The drawn ids, each with its kinds. Records of several kinds can have the same id. */
  readonly #pairs = new Map<string, { id: string; noun: Noun }>();

  constructor(
    readonly world: World,
    readonly hidden: boolean,
  ) {}

  /** Whether the request has the id of such a record. */
  get used(): boolean {
    return this.#pairs.size > 0;
  }

  /** @param random in the same state for both */
  draw(random: Random): Draw {
    const { publicThings, hiddenThings } = this.world.things;
    return (noun) => {
      const visible = publicThings[noun];
      const mixed = random.integer(100) < 30;
      const place = random.integer(Math.max(1, hiddenThings[noun].length));
      const seen = random.integer(Math.max(1, visible.length));
      // All signed-in users see all users.
      if (noun === 'users' || (mixed && visible.length > 0) || hiddenThings[noun].length === 0)
        return String(visible[seen] ?? MISSING_FROM);
      const id = String(this.hidden ? hiddenThings[noun][place] : MISSING_FROM + place);
      this.#pairs.set(`${noun} ${id}`, { id, noun });
      return id;
    };
  }

  /** A response without the ids of the request, and without the parts that differ in every response. */
  bare({ status, headers, text }: Reply): string {
    let bare = `${status}\n${[...headers]
      .filter(([name]) => !['date', 'x-request-id'].includes(name))
      .map((line) => line.join(': '))
      .join('\n')}\n\n${text}`;
    for (const { id, noun } of this.#pairs.values()) {
      const place = String(Number(id) - (this.hidden ? 0 : MISSING_FROM));
      const index = this.hidden
        ? String(this.world.things.hiddenThings[noun].indexOf(Number(id)))
        : place;
      bare = bare
        .replaceAll(
          Buffer.from(`${typeNames[noun]}:${id}`).toString('base64url'),
          `<global ${noun} ${index}>`,
        )
        .replaceAll(id, `<id ${index}>`);
    }
    return bare;
  }
}
