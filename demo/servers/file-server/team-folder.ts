/** The team folder of the integration app: its user, its groups, and who may do what below it. */
import { randomInt } from 'node:crypto';
import type { Files, Node } from './files.js';
import { secret } from './secret.js';
import type { Site } from './site.js';

/** The user, the group and the folder have the same name. */
export const TEAM = 'OpenProject';
/** Everybody whom the user may take out of the group `OpenProject`. */
export const TEAM_REST = 'OpenProjectNoAutomaticProjectFolders';
/** Of the team folder, among all of the server. */
export const TEAM_FOLDER_ID = 1;

/** Read 1, update 2, create 4, delete 8, share 16. */
const ALL = 31;
const READ = 1;

export interface AclEntry {
  type: 'user' | 'group';
  id: string;
  mask: number;
  permissions: number;
}

/** What a test arranges and looks at behind the server's back. */
export interface TeamFolder {
  /** The app password of the user `OpenProject`. */
  readonly password: string;
  /** Its file id. */
  readonly id: number;
  /** Folders directly below it, by name. */
  folders(): { id: number; name: string; acl: AclEntry[] }[];
  /** Ids and names of all folders below it, at any depth. */
  everyFolder(): { id: number; name: string }[];
  rootAcl(): AclEntry[];
  /** Of the group `OpenProject`, sorted. */
  members(): string[];
  /** Takes a person out of the group by hand. */
  expel(user: string): void;
  /** A folder that was made by hand; its file id. */
  add(name: string): number;
  rename(id: number, name: string): void;
  /** Into the user's own root. */
  moveOut(id: number): void;
  remove(id: number): void;
  setAcl(id: number, acl: AclEntry[]): void;
  /** Effective bits; 0 for who is no member, and without the right to read. */
  rights(user: string, id: number): number;
  /** The team folder itself disappears. */
  drop(): void;
}

export class Team implements TeamFolder {
  password: string;
  readonly root: Node;

  constructor(
    private readonly site: Site,
    { password = nastyPassword(), id }: { password?: string; id?: number },
  ) {
    const user = site.users.get(TEAM) ?? site.user(TEAM);
    user.groups = [...new Set([...user.groups, TEAM, TEAM_REST])];
    user.appPasswords.add(password);
    this.password = password;
    this.root = site.files.mountTeam(TEAM, (who, node) => this.bits(who, node), id);
  }

  get id(): number {
    return this.root.id;
  }

  folders(): { id: number; name: string; acl: AclEntry[] }[] {
    return (this.root.children ?? [])
      .filter(({ children }) => children !== undefined)
      .map((node) => ({ id: node.id, name: node.name, acl: copied(node.acl) }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  everyFolder(): { id: number; name: string }[] {
    const below = ({ children = [] }: Node): Node[] =>
      children.flatMap((node) => (node.children ? [node, ...below(node)] : []));
    return below(this.root).map(({ id, name }) => ({ id, name }));
  }

  rootAcl(): AclEntry[] {
    return copied(this.root.acl);
  }

  members(): string[] {
    return this.site.membersOf(TEAM);
  }

  expel(user: string): void {
    const person = this.site.known(user);
    person.groups = person.groups.filter((group) => group !== TEAM);
  }

  add(name: string): number {
    return this.files.addFolder(this.root, name, TEAM).id;
  }

  rename(id: number, name: string): void {
    this.files.move(TEAM, this.child(id), this.root, name);
  }

  moveOut(id: number): void {
    const node = this.child(id);
    this.files.move(TEAM, node, this.files.root(TEAM), node.name);
  }

  remove(id: number): void {
    this.files.trash(this.child(id));
  }

  setAcl(id: number, acl: AclEntry[]): void {
    setAcl(id === this.id ? this.root : this.child(id), acl);
  }

  rights(user: string, id: number): number {
    return this.files.teamRights(user, this.node(id));
  }

  drop(): void {
    this.files.unmountTeam();
    this.root.children?.splice(0);
    this.site.team = undefined;
  }

  changePassword(password: string): void {
    const { appPasswords } = this.site.known(TEAM);
    appPasswords.delete(this.password);
    appPasswords.add(password);
    this.password = password;
  }

  /** The entries that are about this user, also by a group. */
  isAbout(user: string, { type, id }: AclEntry): boolean {
    return type === 'user' ? id === user : this.site.users.get(user)?.groups.includes(id) === true;
  }

  /** Entries of one folder are merged, and what one of them allows wins; a folder changes what is above it. */
  private bits(user: string, node: Node): number {
    const { appEnabled, groupFoldersEnabled } = this.site.settings;
    if (!appEnabled || !groupFoldersEnabled) return 0;
    if (this.site.users.get(user)?.groups.includes(TEAM) !== true) return 0;
    const bits = this.files.pathTo(node).reduce((above, { acl }) => {
      const own = acl.filter((entry) => this.isAbout(user, entry));
      const mask = own.reduce((sum, entry) => sum | entry.mask, 0);
      const allowed = own.reduce((sum, entry) => sum | entry.permissions, 0);
      return (above & ~mask) | allowed;
    }, ALL);
    return (bits & READ) === 0 ? 0 : bits;
  }

  private get files(): Files {
    return this.site.files;
  }

  private node(id: number): Node {
    const node = this.files.node(id);
    if (!node || !this.files.isInTeam(node)) throw new Error(`The team folder has no file ${id}.`);
    return node;
  }

  private child(id: number): Node {
    const node = this.node(id);
    if (node.parent !== this.root) throw new Error(`${id} is not directly below the team folder.`);
    return node;
  }
}

/** Replaces the list; users before groups, as it is shown. Of two entries about the same, the last one counts. */
export function setAcl(node: Node, acl: AclEntry[]): void {
  const entries = new Map(
    acl.map((entry) => [
      `${entry.type} ${entry.id}`,
      { ...entry, permissions: entry.permissions & entry.mask },
    ]),
  );
  const of = (type: AclEntry['type']): AclEntry[] =>
    [...entries.values()].filter((entry) => entry.type === type);
  node.acl = [...of('user'), ...of('group')];
}

const copied = (acl: AclEntry[]): AclEntry[] => acl.map((entry) => ({ ...entry }));

/** As long as the app makes it, with its signs. */
const nastyPassword = (): string => {
  const text = secret(62);
  const cut = randomInt(1, text.length);
  return `${text.slice(0, cut)}:;\\'>[(^%"${text.slice(cut)}`;
};
