/** Everybody's folders and files, and who sees which of them where. */
import { randomBytes } from 'node:crypto';
import mime from 'mime-types';

export interface Node {
  readonly id: number;
  readonly owner: string;
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
    const shared =
      folder === this.roots.get(user)
        ? [...this.nodes.values()].filter((node) => node.shares.has(user))
        : [];
    return [...(folder.children ?? []), ...shared].filter((node) => !node.hiddenFrom.has(user));
  }

  /** The first of the entries that fits. It makes no list: tests have folders with 10,000 files. */
  private entry(user: string, folder: Node, fits: (node: Node) => boolean): Node | undefined {
    const isFound = (node: Node) => fits(node) && !node.hiddenFrom.has(user);
    const own = folder.children?.find(isFound);
    if (own || folder !== this.roots.get(user)) return own;
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
    if (node.hiddenFrom.has(user)) return undefined;
    if (node === this.roots.get(user)) return '/';
    if (node.shares.has(user)) return `/${nameFor(user, node)}`;
    const above = node.parent && this.pathFor(user, node.parent);
    return above && `${above === '/' ? '' : above}/${node.name}`;
  }

  /** In the letters of `oc:permissions`. */
  permissions(user: string, node: Node): string {
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
    this.touch(folder, user);
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
