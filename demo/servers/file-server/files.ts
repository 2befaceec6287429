/** Everybody's folders and files, and who sees which of them where. */
import { randomBytes } from 'node:crypto';
import mime from 'mime-types';
import type { AclEntry } from './team-folder.js';

export interface Node {
  readonly id: number;
  owner: string;
  name: string;
  /** Absent for a user's root, and for what was thrown away. */
  parent: Node | undefined;
  /** Absent: a file. */
  readonly children: Node[] | undefined;
  content: Buffer;
  mimeType: string;
  /** Unix seconds. */
  mtime: number;
  /** Unix seconds; 0 is unknown. */
  ctime: number;
  /** Who changed the content last. */
  modifier: string | null;
  etag: string;
  readonly shares: Map<string, Share>;
  readonly hiddenFrom: Set<string>;
  /** Counts below the team folder only. */
  acl: AclEntry[];
}

/** The team folder, which is in the root of everybody who has a right to it. */
interface Mount {
  root: Node;
  rights: (user: string, node: Node) => number;
}

export interface Share {
  /** Without it the share can be changed. */
  readOnly?: boolean;
  /** May be shared on; true when absent. */
  reshare?: boolean;
  /** The name that the recipient gave to it. */
  name?: string;
}

export interface FileOptions {
  /** The whole name when absent. */
  content?: string | Uint8Array;
  /** By the name's ending when absent. */
  mimeType?: string;
  /** Unix seconds; now when absent. */
  mtime?: number;
  /** Unix seconds; 0, unknown, when absent. */
  ctime?: number;
  id?: number;
}

export interface Trashed {
  node: Node;
  /** Unix seconds. */
  at: number;
  /** Without a leading slash. */
  from: string;
}

export class Files {
  private readonly nodes = new Map<number, Node>();
  private readonly roots = new Map<string, Node>();
  private readonly trashed: Trashed[] = [];
  private team: Mount | undefined;
  private lastId = 100;

  constructor(private readonly now: () => number) {}

  root(user: string, id?: number): Node {
    const found = this.roots.get(user);
    if (found) return found;
    const root = this.add(undefined, { owner: user, name: 'files', folder: true, id });
    this.roots.set(user, root);
    return root;
  }

  /** Also what the asking user cannot see; nothing that was thrown away. */
  node(id: number): Node | undefined {
    return this.nodes.get(id);
  }

  /** The user's view of a folder. */
  entries(user: string, folder: Node): Node[] {
    const mounted =
      folder === this.roots.get(user)
        ? [...this.mounts(), ...[...this.nodes.values()].filter((node) => node.shares.has(user))]
        : [];
    return [...(folder.children ?? []), ...mounted].filter((node) => this.isShownTo(user, node));
  }

  private mounts(): Node[] {
    return this.team ? [this.team.root] : [];
  }

  private isShownTo(user: string, node: Node): boolean {
    return (
      !node.hiddenFrom.has(user) && (!this.isInTeam(node) || this.teamRights(user, node) !== 0)
    );
  }

  /** A folder that all users who have a right to it see in their root. */
  mountTeam(owner: string, rights: Mount['rights'], id?: number): Node {
    const root = this.add(undefined, { owner, name: owner, folder: true, by: owner, id });
    this.team = { root, rights };
    return root;
  }

  unmountTeam(): void {
    if (this.team) this.forget(this.team.root);
    this.team = undefined;
  }

  isInTeam(node: Node): boolean {
    return this.team !== undefined && this.pathTo(node)[0] === this.team.root;
  }

  isMount(node: Node): boolean {
    return node === this.team?.root;
  }

  /** Bits; 0 for what is not below the team folder. */
  teamRights(user: string, node: Node): number {
    return this.team && this.isInTeam(node) ? this.team.rights(user, node) : 0;
  }

  /** From the root to the node, both included. */
  pathTo(node: Node): Node[] {
    return node.parent ? [...this.pathTo(node.parent), node] : [node];
  }

  /** Files of the team folder seem to belong to whoever asks. */
  ownerFor(user: string, node: Node): string {
    return this.isInTeam(node) ? user : node.owner;
  }

  /** A name is taken also by what the user does not see. */
  isTakenUnseen(user: string, folder: Node, name: string): boolean {
    return folder.children?.some((one) => one.name === name && !this.isShownTo(user, one)) === true;
  }

  /** The first of the entries that fits. It makes no list: tests have folders with 10,000 files. */
  private entry(user: string, folder: Node, fits: (node: Node) => boolean): Node | undefined {
    const isFound = (node: Node) => fits(node) && this.isShownTo(user, node);
    const own = folder.children?.find(isFound);
    if (own || folder !== this.roots.get(user)) return own;
    const mounted = this.mounts().find(isFound);
    if (mounted) return mounted;
    for (const node of this.nodes.values()) if (node.shares.has(user) && isFound(node)) return node;
    return undefined;
  }

  /** @param path decoded, from the user's root */
  at(user: string, path: string): Node | undefined {
    let node: Node | undefined = this.root(user);
    for (const name of segments(path))
      node = node && this.entry(user, node, (one) => nameFor(user, one) === name);
    return node;
  }

  /** e.g. `/Docs/a.md`, `/` for the root; undefined where the user does not reach it. */
  pathFor(user: string, node: Node): string | undefined {
    if (!this.isShownTo(user, node)) return undefined;
    if (node === this.roots.get(user)) return '/';
    if (this.isMount(node)) return `/${node.name}`;
    if (node.shares.has(user)) return `/${nameFor(user, node)}`;
    const above = node.parent && this.pathFor(user, node.parent);
    return above && `${above === '/' ? '' : above}/${node.name}`;
  }

  /** In the letters of `oc:permissions`. */
  permissions(user: string, node: Node): string {
    if (this.isInTeam(node)) return letters(this.teamRights(user, node), node);
    const share = this.shareOver(user, node);
    const changes = node.children ? 'DNVCK' : 'DNVW';
    if (!share) return `RG${changes}`;
    // What is mounted can be renamed where it is mounted.
    const rights = !share.readOnly ? changes : node.shares.has(user) ? 'N' : '';
    return `S${share.reshare === false ? '' : 'R'}G${rights}`;
  }

  may(user: string, node: Node, letter: 'C' | 'D' | 'N' | 'W'): boolean {
    return this.permissions(user, node).includes(letter);
  }

  /** A folder of the path, with those above it. */
  folder(user: string, path: string, id?: number): Node {
    const names = segments(path);
    return names.reduce((parent, name, index) => {
      const found = this.entry(user, parent, (one) => one.name === name);
      return (
        found ??
        this.add(parent, {
          owner: parent.owner,
          name,
          folder: true,
          by: user,
          id: index === names.length - 1 ? id : undefined,
        })
      );
    }, this.root(user));
  }

  addFolder(parent: Node, name: string, by: string): Node {
    if (parent.children?.some((one) => one.name === name)) throw new Error(`${name} is taken.`);
    return this.add(parent, { owner: parent.owner, name, folder: true, by });
  }

  /** A new file, or new content of the one that is there. */
  write(user: string, folder: Node, name: string, options: FileOptions = {}): Node {
    const found = this.entry(user, folder, (one) => one.name === name);
    const file =
      found ??
      this.add(folder, { owner: folder.owner, name, folder: false, by: user, id: options.id });
    file.content = Buffer.from((options.content ?? name) as string);
    file.mimeType = options.mimeType ?? (mime.lookup(name) || 'application/octet-stream');
    file.ctime = options.ctime ?? file.ctime;
    this.touch(file, user);
    file.mtime = options.mtime ?? file.mtime;
    return file;
  }

  size(node: Node): number {
    return node.children
      ? node.children.reduce((sum, child) => sum + this.size(child), 0)
      : node.content.length;
  }

  move(user: string, node: Node, folder: Node, name: string): void {
    const share = node.shares.get(user);
    if (share) return void (share.name = name);
    this.detach(node);
    node.name = name;
    node.parent = folder;
    folder.children?.push(node);
    this.give(node, folder.owner);
    this.touch(folder, user);
  }

  private give(node: Node, owner: string): void {
    node.owner = owner;
    for (const child of node.children ?? []) this.give(child, owner);
  }

  copy(user: string, node: Node, folder: Node, name: string): Node {
    const copied = this.add(folder, {
      owner: folder.owner,
      name,
      folder: node.children !== undefined,
      by: user,
    });
    Object.assign(copied, { content: node.content, mimeType: node.mimeType, mtime: node.mtime });
    for (const child of node.children ?? []) this.copy(user, child, copied, child.name);
    return copied;
  }

  trash(node: Node): void {
    const from = this.pathFor(node.owner, node)?.slice(1) ?? node.name;
    this.trashed.push({ node, at: this.now(), from });
    this.remove(node);
  }

  trashOf(user: string): Trashed[] {
    return this.trashed.filter(({ node }) => node.owner === user);
  }

  remove(node: Node): void {
    this.detach(node);
    this.forget(node);
  }

  private forget(node: Node): void {
    this.nodes.delete(node.id);
    for (const child of node.children ?? []) this.forget(child);
  }

  private detach(node: Node): void {
    const siblings = node.parent?.children;
    siblings?.splice(siblings.indexOf(node), 1);
    if (node.parent) this.touch(node.parent, null);
    node.parent = undefined;
  }

  private shareOver(user: string, node: Node): Share | undefined {
    return node.shares.get(user) ?? (node.parent && this.shareOver(user, node.parent));
  }

  private add(
    parent: Node | undefined,
    given: { owner: string; name: string; folder: boolean; by?: string; id?: number | undefined },
  ): Node {
    const id = given.id ?? this.lastId + 1;
    if (this.nodes.has(id)) throw new Error(`The file id ${id} is taken.`);
    this.lastId = Math.max(this.lastId, id);
    const node: Node = {
      id,
      parent,
      owner: given.owner,
      name: given.name,
      children: given.folder ? [] : undefined,
      content: Buffer.alloc(0),
      mimeType: given.folder ? 'httpd/unix-directory' : 'application/octet-stream',
      mtime: this.now(),
      ctime: 0,
      modifier: null,
      etag: '',
      shares: new Map(),
      hiddenFrom: new Set(),
      acl: [],
    };
    this.nodes.set(id, node);
    parent?.children?.push(node);
    this.touch(node, given.by ?? null);
    return node;
  }

  /** Changes reach the folders above, except for who made them. */
  private touch(node: Node, by: string | null): void {
    node.modifier = by ?? node.modifier;
    for (let one: Node | undefined = node; one; one = one.parent) {
      one.mtime = this.now();
      one.etag = one.children
        ? randomBytes(7).toString('hex').slice(1)
        : randomBytes(16).toString('hex');
    }
  }
}

/** Of a mounted folder, and of what is below it. */
function letters(bits: number, { children }: Node): string {
  const rights: [bit: number, letters: string][] = [
    [16, 'R'],
    [0, 'M'],
    [1, 'G'],
    [8, 'D'],
    [2, children ? 'NV' : 'NVW'],
    ...(children ? [[4, 'CK'] satisfies [number, string]] : []),
  ];
  return rights.map(([bit, text]) => ((bits & bit) === bit ? text : '')).join('');
}

export const segments = (path: string): string[] =>
  path.split('/').filter((segment) => segment !== '');

export const nameFor = (user: string, node: Node): string =>
  node.shares.get(user)?.name ?? node.name;

/** Why no file may have this name; undefined when it may. */
export function refusedName(name: string): string | undefined {
  if (/^\.(|\.|htaccess)$/i.test(name)) return 'Filename is a reserved word';
  if (name.includes('\\')) return '"\\" is not allowed inside a file or folder name.';
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x1f]/.test(name)) return 'File name contains at least one invalid character';
  return Buffer.byteLength(name) > 250 ? 'Filename is too long' : undefined;
}
