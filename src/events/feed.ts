/** Delivers the events of all processes to the subscribers of this one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Listening } from '../database/index.js';
import { parseDatabaseId } from '../contract/ids.js';
import { Event } from '../models/event.js';
import { CHANNEL } from './record.js';

/** On SQLite, the interval between reads of new events while there are subscribers. */
const POLL_MS = 200;
/** The delay before a broken connection is opened again, or a failed read is repeated. */
const RETRY_MS = 1_000;
/**
 * A subscriber with more waiting events is dropped. Also the limit of a poll, and of announced
 * events in one read.
 */
const MAX_WAITING = 1_000;
/** The assumed maximum distance between ids that are committed out of order. */
const MAX_REORDERING = 1_000;
/** The number of delivered ids to remember. A read after a broken connection skips them. */
const REMEMBERED = 10_000;

export class Feed {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #subscribers = new Set<Subscriber>();
  readonly #delivered = new Set<number>();
  /**
   * The id of the newest event when the first subscriber came. Reads of unannounced events start
   * after it.
   */
  #floor = 0;
  /** The id of the newest known event. */
  #newest = 0;
  #source: Promise<Listening> | undefined;
  /** Counts the stopped sources, so that a stopped source does not reconnect. */
  #generation = 0;
  /** Announced ids that are not read yet. */
  readonly #announced = new Set<number>();
  /** Whether there can be events that were not announced to this process. */
  #behind = false;
  #reading = false;
  #closed = false;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Delivers all events after the promise resolves, and perhaps a few before.
   * The iterator ends when the feed closes, or when more than `MAX_WAITING` events wait in it.
   */
  async subscribe(): Promise<AsyncIterableIterator<Event>> {
    const subscriber = new Subscriber(() => void this.#leave(subscriber));
    if (this.#closed) {
      subscriber.end();
      return subscriber;
    }
    this.#subscribers.add(subscriber);
    try {
      await (this.#source ??= this.#open());
      // A poll also finds events that were committed before the subscription.
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
    this.#generation += 1;
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
    // These ids were announced to earlier subscribers.
    this.#announced.clear();
    return this.#listen(listen);
  }

  async #listen(listen: NonNullable<Database['listen']>): Promise<Listening> {
    const generation = this.#generation;
    const source = await listen(
      CHANNEL,
      (payload) => {
        // Skip what is no id: the database would reject each read of it, again and again.
        for (const id of payload.split(',').map(parseDatabaseId))
          if (id !== undefined) this.#announced.add(id);
        void this.#readAnnounced();
      },
      () => this.#reopen(listen, generation),
    );
    // Events can have been committed before the connection listened.
    this.#behind = true;
    void this.#readAnnounced();
    return source;
  }

  /** Reconnects after a broken connection. Missed events are found by their ids. */
  #reopen(listen: NonNullable<Database['listen']>, generation: number): void {
    if (generation !== this.#generation) return;
    const again = (): Promise<Listening> =>
      new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref()).then(async () => {
        if (generation !== this.#generation) return { close: async () => undefined };
        try {
          return await this.#listen(listen);
        } catch (error) {
          this.#log.warn({ err: error }, 'events are not delivered at the moment');
          return again();
        }
      });
    this.#source = again();
  }

  /** For SQLite. SQLite runs one write transaction at a time, so ids are committed in order. */
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

  /**
   * Reads and delivers announced events. One read at a time keeps events in order.
   * Ids announced during a read are read together, so the feed keeps up with a busy database.
   */
  async #readAnnounced(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    while ((this.#behind || this.#announced.size > 0) && this.#subscribers.size > 0) {
      const behind = this.#behind;
      const ids = [...this.#announced].slice(0, MAX_WAITING);
      this.#behind = false;
      for (const id of ids) this.#announced.delete(id);
      try {
        this.#deliver(await this.#read(behind, ids));
      } catch (error) {
        this.#log.warn({ err: error }, 'events are not delivered at the moment');
        this.#behind ||= behind;
        for (const id of ids) this.#announced.add(id);
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
    this.#reading = false;
    if (this.#subscribers.size === 0) this.#announced.clear();
  }

  /**
   * Reads events in the order of their ids. The number of unannounced events is not limited.
   * @param behind whether to read unannounced events too. They are read from `MAX_REORDERING` ids
   *   before the newest known event, because ids can be committed out of order.
   */
  #read(behind: boolean, ids: readonly number[]): PromiseLike<Event[]> {
    const announced = Event.query(this.#db.read)
      .whereIn('id', [...ids])
      .orderBy('id');
    if (!behind) return announced;
    return announced.orWhere('id', '>', Math.max(this.#floor, this.#newest - MAX_REORDERING));
  }

  #deliver(events: readonly Event[]): void {
    for (const event of events) {
      if (this.#delivered.has(event.id)) continue;
      this.#delivered.add(event.id);
      this.#newest = Math.max(this.#newest, event.id);
      if (this.#delivered.size > REMEMBERED) {
        const [oldest = event.id] = this.#delivered;
        this.#delivered.delete(oldest);
      }
      for (const subscriber of this.#subscribers)
        if (event.id > subscriber.after) subscriber.push(event);
    }
  }
}

class Subscriber implements AsyncIterableIterator<Event> {
  /** The subscriber receives only events with a larger id than this. */
  after = 0;
  readonly #leave: () => void;
  readonly #waiting: Event[] = [];
  #resolveNext: ((result: IteratorResult<Event>) => void) | undefined;
  #ended = false;

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  push(event: Event): void {
    if (this.#resolveNext) {
      this.#resolveNext({ done: false, value: event });
      this.#resolveNext = undefined;
    } else if (this.#waiting.length < MAX_WAITING) {
      this.#waiting.push(event);
    } else {
      this.#waiting.length = 0;
      this.end();
    }
  }

  end(): void {
    this.#ended = true;
    this.#resolveNext?.({ done: true, value: undefined });
    this.#leave();
  }

  async next(): Promise<IteratorResult<Event>> {
    const event = this.#waiting.shift();
    if (event) return { done: false, value: event };
    if (this.#ended) return { done: true, value: undefined };
    return new Promise((resolve) => {
      this.#resolveNext = resolve;
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
