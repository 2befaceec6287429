/** What subscriptions have in common: the events from now on that concern a subscriber and that he may learn. */
import { mapIterator, SKIP } from '../concurrency/map-iterator.js';
import type { Context } from '../context.js';
import { InvalidQuery } from '../contract/errors.js';
// A value: where decorators record types, a type of this name would be that of the DOM.
import { Event } from '../models/event.js';
import { can } from '../policies/can.js';

/** Events are judged as they come, by what the subscriber may see by then. */
export async function follow(
  context: Context,
  concerns: (event: Event) => boolean,
): Promise<AsyncIterable<Event>> {
  return mapIterator(await context.events.subscribe(), async (event) =>
    concerns(event) && (await can.receiveEvent(await (context.renew?.() ?? context), event))
      ? event
      : SKIP,
  );
}

/** @throws InvalidQuery unless exactly one of two arguments is given */
export function demandOne(args: { [name: string]: string | null | undefined }): void {
  const names = Object.keys(args);
  if (names.filter((name) => args[name] !== null && args[name] !== undefined).length !== 1) {
    throw new InvalidQuery(
      `Give exactly one of the arguments ${names.map((name) => `"${name}"`).join(' and ')}.`,
      names[0],
    );
  }
}
