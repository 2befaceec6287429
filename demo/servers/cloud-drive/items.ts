/** The tree of a document library: names, visibility, sizes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { lookup } from 'mime-types';
import type { Permission } from './access.js';
import { Refusal } from './exchange.js';

export interface Item {
  /** 34 characters, stable across rename and move. */
  readonly id: string;
  readonly guid: string;
  readonly kind: 'folder' | 'file' | 'package';
  name: string;
  /** Absent for the root. */
  parent?: Item;
  /** By name in lower case. */
  readonly children: Map<string, Item>;
  content: Buffer;
  mimeType: string;
  version: number;
  /** Milliseconds since 1970, by the server's clock. */
  created: number;
  modified: number;
  /** ISO 8601, as the client said. */
  clientCreated: string;
  clientModified: string;
  /** User id; absent: made by the application. */
  createdBy?: string;
  modifiedBy?: string;
  /** User ids; absent: as the parent. */
  visibleTo?: Set<string>;
  readonly hiddenFrom: Set<string>;
  readonly readOnlyFor: Set<string>;
  /** What was granted one by one. */
  readonly permissions: Permission[];
  /** A shortcut to this item of another drive. */
  remote?: { id: string; driveId: string };
}

/** Who asks: a user by id, or the application itself. */
export type Caller = { userId: string } | 'app';

export interface ItemOptions {
  /** Random when absent. */
  id?: string;
  /** User ids; without it the item is as visible as its folder. */
  visibleTo?: string[];
  /** The user who made it; without it the application did. */
  by?: string;
  /** ISO 8601: `fileSystemInfo`, which a client sets; the dates of the server differ. */
  createdAt?: string;
  modifiedAt?: string;
}

export type FileOptions = ItemOptions & { content?: string | Buffer; mimeType?: string };

const DAY = 86_400_000;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export class Items {
  readonly root: Item;
  readonly #byId = new Map<string, Item>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.root = this.#make('root', 'folder');
  }

  byId = (id: string): Item | undefined => (id === 'root' ? this.root : this.#byId.get(id));

  child = (parent: Item, name: string): Item | undefined => parent.children.get(keyOf(name));

  /** The item at names below a folder. */
  at = (from: Item, names: readonly string[]): Item | undefined =>
    names.reduce<Item | undefined>((at, name) => at && this.child(at, name), from);

  /** @throws Refusal for a name that the library does not take */
  add(parent: Item, name: string, kind: Item['kind'], options: FileOptions = {}): Item {
    this.#checkName(parent, name, kind);
    if (this.child(parent, name)) throw new Refusal('nameTaken');
    const item = this.#make(name, kind, options.id);
    item.parent = parent;
    item.mimeType = lookup(name) || 'application/octet-stream';
    parent.children.set(keyOf(name), item);
    this.describe(item, options);
    return item;
  }

  /** Sets what is given, without a trace. */
  describe(
    item: Item,
    { visibleTo, by, createdAt, modifiedAt, content, mimeType }: FileOptions,
  ): void {
    if (visibleTo) item.visibleTo = new Set(visibleTo);
    if (by !== undefined) item.createdBy = item.modifiedBy = by;
    if (createdAt !== undefined) item.clientCreated = createdAt;
    if (modifiedAt !== undefined) item.clientModified = modifiedAt;
    if (content !== undefined) item.content = Buffer.from(content);
    if (mimeType !== undefined) item.mimeType = mimeType;
  }

  write(item: Item, content: Buffer, by: Caller): void {
    item.content = content;
    this.#touch(item, by);
  }

  /** Renames, moves, or both. */
  place(item: Item, parent: Item, name: string, by: Caller): void {
    this.#checkName(parent, name, item.kind);
    if (pathTo(parent).includes(item))
      throw new Refusal('invalid', 'An item cannot be moved into itself.');
    const there = this.child(parent, name);
    if (there && there !== item) throw new Refusal('nameTaken');
    item.parent?.children.delete(keyOf(item.name));
    item.name = name;
    item.parent = parent;
    parent.children.set(keyOf(name), item);
    this.#touch(item, by);
  }

  remove(item: Item): void {
    for (const child of item.children.values()) this.remove(child);
    item.parent?.children.delete(keyOf(item.name));
    this.#byId.delete(item.id);
  }

  /** A name that is free: `a 1.txt` when `a.txt` is taken. */
  freeName(parent: Item, name: string): string {
    const [, stem, extension] = /^(.+?)(\.[^.]*)?$/.exec(name)!;
    for (let number = 1; ; number += 1) {
      const tried = `${stem} ${number}${extension ?? ''}`;
      if (!this.child(parent, tried)) return tried;
    }
  }

  #touch(item: Item, by: Caller): void {
    item.version += 1;
    item.modified = this.#now();
    item.clientModified = stamp(item.modified);
    if (by === 'app') delete item.modifiedBy;
    else item.modifiedBy = by.userId;
  }

  #make(name: string, kind: Item['kind'], id = randomId()): Item {
    const now = this.#now();
    // A client made it the day before it came here, so that the two kinds of dates cannot be confused.
    const before = stamp(now - DAY);
    const item: Item = {
      id,
      guid: randomUUID(),
      kind,
      name,
      children: new Map(),
      content: Buffer.alloc(0),
      mimeType: '',
      version: 1,
      created: now,
      modified: now,
      clientCreated: before,
      clientModified: before,
      hiddenFrom: new Set(),
      readOnlyFor: new Set(),
      permissions: [],
    };
    this.#byId.set(id, item);
    return item;
  }

  #checkName(parent: Item, name: string, kind: Item['kind']): void {
    const problem = nameProblem(name, kind, parent === this.root);
    if (problem !== undefined) throw new Refusal('invalid', problem);
    if (locationOf(parent).length + 1 + name.length > 400)
      throw new Refusal('invalid', 'The path is too long.');
  }
}

const randomId = () => `01${Array.from(randomBytes(32), (byte) => LETTERS[byte % 32]).join('')}`;

const keyOf = (name: string) => name.normalize('NFC').toLowerCase();

/** ISO 8601 without fractions, as Graph writes dates. */
export const stamp = (milliseconds: number) =>
  new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');

/** Bytes; of a folder with all that is below. */
export const sizeOf = ({ content, children }: Item): number =>
  [...children.values()].reduce((sum, child) => sum + sizeOf(child), content.length);

/** From the root to the item, both included. */
export const pathTo = (item: Item): Item[] =>
  item.parent ? [...pathTo(item.parent), item] : [item];

/** e.g. `/A/B`, not encoded; empty for the root. */
export const locationOf = (item: Item) =>
  pathTo(item)
    .slice(1)
    .map(({ name }) => `/${name}`)
    .join('');

export function isVisible(item: Item, userId: string): boolean {
  if (item.hiddenFrom.has(userId)) return false;
  if (item.visibleTo) return item.visibleTo.has(userId);
  return item.parent ? isVisible(item.parent, userId) : true;
}

export const isReadOnly = (item: Item, userId: string): boolean =>
  pathTo(item).some(({ readOnlyFor }) => readOnlyFor.has(userId));

const reserved = /^(\.lock|con|prn|aux|nul|com\d|lpt\d|desktop\.ini)$/i;

function nameProblem(name: string, kind: Item['kind'], atRoot: boolean): string | undefined {
  if (name === '' || /["*:<>?/\\|\p{Cc}]/u.test(name))
    return 'The provided name cannot contain any of the reserved characters.';
  if (name !== name.trim()) return 'The provided name cannot begin or end with a blank.';
  if (
    reserved.test(name) ||
    /_vti_/i.test(name) ||
    name.startsWith('~$') ||
    (atRoot && /^forms$/i.test(name))
  )
    return 'The provided name is reserved.';
  if (kind === 'folder' && (name.endsWith('.') || name.startsWith('~')))
    return 'The provided name is no name of a folder.';
  return undefined;
}
