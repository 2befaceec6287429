/** Hands the events of all processes to the subscribers of this one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Listening } from '../database/index.js';
import { parseDatabaseId } from '../contract/ids.js';
import { Event } from '../models/event.js';
import { CHANNEL } from './record.js';

/** Where nothing tells of new rows, they are looked for so often while somebody waits for them. */
const POLL_MS = 200;
/** A broken connection is opened again after so long, and what could not be read is read again. */
const RETRY_MS = 1_000;
/** A subscriber that lets so many events wait is dropped. */
const MAX_WAITING = 1_000;
/** So far apart ids of transactions may be that end at the same time. */
const REORDERED = 1_000;
/** As many ids are remembered, to tell what a broken connection missed from what was delivered. */
const REMEMBERED = 10_000;

export class Feed {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #subscribers = new Set<Subscriber>();
  readonly #delivered = new Set<number>();
  /** What is older was there before anybody subscribed; the newest that is known. */
  #floor = 0;
  #newest = 0;
  #source: Promise<Listening> | undefined;
  /** Counts the sources that were given up: one of those opens nothing any more. */
  #stops = 0;
  /** What was told of and is not read yet, and whether there may be more that nobody told of. */
  readonly #told = new Set<number>();
  #behind = false;
  #reading = false;
  #closed = false;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Events from now on, until the subscriber returns or the feed is closed; resolves when nothing can be missed any more. */
  async subscribe(): Promise<AsyncIterableIterator<Event>> {
    const subscriber = new Subscriber(() => void this.#leave(subscriber));
    if (this.#closed) {
      subscriber.end();
      return subscriber;
    }
    this.#subscribers.add(subscriber);
    try {
      await (this.#source ??= this.#open());
      // A poll finds what was committed before the subscription as well.
      if (!this.#db.listen) subscriber.after = await this.#latest();
    } catch (error) {
      await this.#leave(subscriber);
      throw error;
    }
    return subscriber;
  }

  /** Ends every subscription. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const subscriber of this.#subscribers) subscriber.end();
    this.#subscribers.clear();
    await this.#stop();
  }

  async #leave(subscriber: Subscriber): Promise<void> {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size === 0) await this.#stop();
  }

  async #stop(): Promise<void> {
    this.#stops += 1;
    const source = this.#source;
    this.#source = undefined;
    await source?.then(({ close }) => close()).catch(() => undefined);
  }

  #open(): Promise<Listening> {
    const source = this.#db.listen ? this.#start(this.#db.listen) : this.#poll();
    source.catch(() => {
      if (this.#source === source) this.#source = undefined;
    });
    return source;
  }

  async #start(listen: NonNullable<Database['listen']>): Promise<Listening> {
    this.#floor = this.#newest = await this.#latest();
    // Of those who were here before.
    this.#told.clear();
    return this.#listen(listen);
  }

  async #listen(listen: NonNullable<Database['listen']>): Promise<Listening> {
    const stops = this.#stops;
    const source = await listen(
      CHANNEL,
      (payload) => {
        // What is no id would be refused each time that it is read.
        for (const id of payload.split(',').map(parseDatabaseId))
          if (id !== undefined) this.#told.add(id);
        void this.#readTold();
      },
      () => this.#reopen(stops),
    );
    // What was committed while nobody listened.
    this.#behind = true;
    void this.#readTold();
    return source;
  }

  /** The connection broke: what was missed meanwhile is found by its id. */
  #reopen(stops: number): void {
    if (stops !== this.#stops) return;
    const again = (): Promise<Listening> =>
      new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref()).then(async () => {
        if (stops !== this.#stops) return { close: async () => undefined };
        try {
          return await this.#listen(this.#db.listen!);
        } catch (error) {
          this.#log.warn({ err: error }, 'events are not delivered at the moment');
          return again();
        }
      });
    this.#source = again();
  }

  /** SQLite writes one transaction after the other, so a row with a smaller id never comes later. */
  async #poll(): Promise<Listening> {
    let last = await this.#latest();
    let busy = false;
    const poll = async () => {
      if (busy) return;
      busy = true;
      try {
        const events = await Event.query(this.#db.read)
          .where('id', '>', last)
          .orderBy('id')
          .limit(MAX_WAITING);
        last = events.at(-1)?.id ?? last;
        this.#deliver(events);
      } catch (error) {
        this.#log.warn({ err: error }, 'events are not delivered at the moment');
      } finally {
        busy = false;
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS).unref();
    return { close: async () => clearInterval(timer) };
  }

  async #latest(): Promise<number> {
    return (await Event.query(this.#db.write).max('id as id').first())?.id ?? 0;
  }

  /** One read at a time, so that events are told in their order; what is told of meanwhile is read together, so that a busy database is not fallen behind. */
  async #readTold(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    while ((this.#behind || this.#told.size > 0) && this.#subscribers.size > 0) {
      const behind = this.#behind;
      const ids = [...this.#told].slice(0, MAX_WAITING);
      this.#behind = false;
      for (const id of ids) this.#told.delete(id);
      try {
        this.#deliver(await this.#read(behind, ids));
      } catch (error) {
        this.#log.warn({ err: error }, 'events are not delivered at the moment');
        this.#behind ||= behind;
        for (const id of ids) this.#told.add(id);
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
    this.#reading = false;
    if (this.#subscribers.size === 0) this.#told.clear();
  }

  /** @param behind also what nobody told of: transactions end in another order than that of their ids */
  #read(behind: boolean, ids: readonly number[]): PromiseLike<Event[]> {
    const told = Event.query(this.#db.read)
      .whereIn('id', [...ids])
      .orderBy('id');
    return behind ? told.orWhere('id', '>', Math.max(this.#floor, this.#newest - REORDERED)) : told;
  }

  #deliver(events: readonly Event[]): void {
    for (const event of events) {
      if (this.#delivered.has(event.id)) continue;
      this.#delivered.add(event.id);
      this.#newest = Math.max(this.#newest, event.id);
      if (this.#delivered.size > REMEMBERED)
        this.#delivered.delete(this.#delivered.values().next().value!);
      for (const subscriber of this.#subscribers)
        if (event.id > subscriber.after) subscriber.push(event);
    }
  }
}

class Subscriber implements AsyncIterableIterator<Event> {
  /** Events up to this one are not its. */
  after = 0;
  readonly #leave: () => void;
  readonly #waiting: Event[] = [];
  #wanted: ((result: IteratorResult<Event>) => void) | undefined;
  #ended = false;

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  push(event: Event): void {
    if (this.#wanted) {
      this.#wanted({ done: false, value: event });
      this.#wanted = undefined;
    } else if (this.#waiting.length < MAX_WAITING) {
      this.#waiting.push(event);
    } else {
      this.#waiting.length = 0;
      this.end();
    }
  }

  end(): void {
    this.#ended = true;
    this.#wanted?.({ done: true, value: undefined });
    this.#leave();
  }

  async next(): Promise<IteratorResult<Event>> {
    const event = this.#waiting.shift();
    if (event) return { done: false, value: event };
    if (this.#ended) return { done: true, value: undefined };
    return new Promise((resolve) => {
      this.#wanted = resolve;
    });
  }

  async return(): Promise<IteratorResult<Event>> {
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}
