/** What both subscriptions share: the stream of events, and the check of their arguments. */
import { mapIterator, SKIP } from '../concurrency/map-iterator.js';
import type { Context } from '../context.js';
import { InvalidQuery } from '../contract/errors.js';
// Not a type import: decorators record types at run time, where `Event` would be that of the DOM.
import { Event } from '../models/event.js';
import type { MaybePromise } from '../concurrency/maybe-promise.js';
import { can } from '../policies/can.js';

/**
 * Returns the events from now on that the filter selects. Each is sent only if the subscriber may
 * see it at that moment.
 */
export async function visibleEvents(
  context: Context,
  concerns: (event: Event) => MaybePromise<boolean>,
): Promise<AsyncIterable<Event>> {
  return mapIterator(await context.events.subscribe(), async (event) =>
    (await concerns(event)) && (await can.receiveEvent(await (context.renew?.() ?? context), event))
      ? event
      : SKIP,
  );
}

/** Returns the one argument that is given. @throws InvalidQuery if none is given, or several are */
export function demandOne<Name extends string>(args: {
  [name in Name]: string | null | undefined;
}): [Name, string] {
  const names = Object.keys(args) as Name[];
  const [given, ...others] = names.flatMap((name): [Name, string][] => {
    const value: string | null | undefined = args[name];
    return value === null || value === undefined ? [] : [[name, value]];
  });
  if (!given || others.length > 0)
    throw new InvalidQuery(
      `Give exactly one of the arguments ${names.map((name) => `"${name}"`).join(' and ')}.`,
      names[0],
    );
  return given;
}
