/** The state of the fake: one tenant with its users, their grants, one drive, and a clock. */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { grant, permissionsOf, type NewPermission, type Permission } from './access.js';
import type { Call } from './exchange.js';
import { Items, type Caller, type FileOptions, type Item, type ItemOptions } from './items.js';

export interface User {
  id: string;
  displayName: string;
  email: string;
  password: string;
}

export interface Client {
  id: string;
  secret: string;
  redirectUri: string;
}

/** How calls are refused with 429, earlier ones first. */
export interface Throttle {
  /** Seconds, whole or not; absent: no header. */
  retryAfter?: number;
  /** How many calls; 1 when absent. */
  times?: number;
  /** Only members of a `$batch`; otherwise only whole calls. */
  members?: boolean;
  /** Which ones; all when absent. */
  when?: (call: Call) => boolean;
  /** 429 when absent. The others are no want of capacity: the token, or what it may do. */
  status?: 401 | 403 | 429 | 503;
}

interface Code {
  userId: string;
  redirectUri: string;
  scope: string;
  challenge?: string;
  method: string;
  expires: number;
  redeemed: boolean;
}

interface Refresh {
  userId: string;
  expires: number;
  revoked: boolean;
  /** When it was used first, by the clock of the fake. */
  used?: number;
}

export interface Access {
  caller: Caller;
  expires: number;
}

const MINUTE = 60_000;
const DEFAULT_SCOPE = 'https://graph.microsoft.com/.default offline_access';

export interface TenantIds {
  tenantId: string;
  driveId: string;
}

export class Tenant {
  /** Where the server listens. */
  readonly url: string = '';
  readonly tenantId: string;
  readonly driveId: string;
  readonly siteId = `contoso.sharepoint.com,${randomUUID()},${randomUUID()}`;
  readonly client: Client = {
    id: randomUUID(),
    secret: randomBytes(24).toString('base64url'),
    redirectUri: 'http://127.0.0.1/callback',
  };
  secretExpired = false;
  /** False: the token of the application has no rights on the drive, so nothing is found. */
  appCanRead = true;
  /** True: lists are empty instead of refused, as where a scope was not consented to. */
  emptyForMissingScope = false;
  /** True: users see and change only what a permission of theirs lets them, at the item or above it. */
  onlyPermitted = false;
  /** How long a refresh token still works after its first use. */
  refreshGraceSeconds = 0;
  /** Bytes that the drive holds at most. */
  quota = Infinity;
  /** False: requests that break the published description get the refusal of the service instead of 599; for tests of refusals. */
  checkRequests = true;
  /** What was sent or answered against the published description. */
  readonly violations: string[] = [];
  readonly users = new Map<string, User>();
  readonly codes = new Map<string, Code>();
  readonly refreshTokens = new Map<string, Refresh>();
  readonly accessTokens = new Map<string, Access>();
  readonly throttles: (Throttle & { left: number })[] = [];
  #ahead = 0;
  readonly items: Items = new Items(() => this.now());
  readonly #key = randomBytes(32);

  constructor({
    tenantId = randomUUID(),
    driveId = `b!${randomBytes(48).toString('base64url')}`,
  }: Partial<TenantIds> = {}) {
    this.tenantId = tenantId;
    this.driveId = driveId;
  }

  /** What CLOUD_DRIVE_LOGIN_URL would be. */
  get loginUrl(): string {
    return this.url;
  }

  /** What CLOUD_DRIVE_API_URL would be. */
  get apiUrl(): string {
    return `${this.url}/v1.0`;
  }

  /** Milliseconds since 1970 by the clock of the fake. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Lets time pass for tokens, codes, upload sessions and download links. */
  advance(seconds: number): void {
    this.#ahead += seconds * 1000;
  }

  /** The secret `expired` lets the present one be refused as expired. */
  setClient({ secret, ...changes }: Partial<Client>): void {
    Object.assign(this.client, changes);
    this.secretExpired = secret === 'expired';
    if (secret !== undefined && secret !== 'expired') this.client.secret = secret;
  }

  user(id: string, { displayName, email, password }: Omit<User, 'id'>): User {
    const user = { id, displayName, email, password };
    this.users.set(id, user);
    return user;
  }

  /** An authorization code, as if the user had signed in and consented; it lives for ten minutes. */
  grantCode(
    userId: string,
    {
      codeChallenge,
      codeChallengeMethod = 'S256',
      redirectUri = this.client.redirectUri,
      scope = DEFAULT_SCOPE,
    }: {
      codeChallenge?: string;
      codeChallengeMethod?: string;
      redirectUri?: string;
      scope?: string;
    } = {},
  ): string {
    this.#knownUser(userId);
    const code = `1.${randomBytes(60).toString('base64url')}`;
    this.codes.set(code, {
      userId,
      redirectUri,
      scope,
      ...(codeChallenge !== undefined && { challenge: codeChallenge }),
      method: codeChallengeMethod,
      expires: this.now() + 10 * MINUTE,
      redeemed: false,
    });
    return code;
  }

  /** Tokens of a user who has consented. */
  grant(userId: string): { accessToken: string; refreshToken: string } {
    this.#knownUser(userId);
    return { accessToken: this.accessToken({ userId }), refreshToken: this.refreshToken(userId) };
  }

  /** It lives for ninety days. */
  refreshToken(userId: string): string {
    const token = `1.${randomBytes(90).toString('base64url')}`;
    this.refreshTokens.set(token, {
      userId,
      expires: this.now() + 90 * 24 * 60 * MINUTE,
      revoked: false,
    });
    return token;
  }

  /** @param seconds its life */
  accessToken(caller: Caller, seconds = 3599): string {
    const expires = this.now() + seconds * 1000;
    const token = this.seal({
      aud: 'https://graph.microsoft.com',
      tid: this.tenantId,
      appid: this.client.id,
      exp: Math.floor(expires / 1000),
      jti: randomUUID(),
      ...(caller !== 'app' && { oid: caller.userId }),
    });
    this.accessTokens.set(token, { caller, expires });
    return token;
  }

  /** All access tokens of the user are expired from now on. */
  expireAccess(userId: string): void {
    for (const access of this.accessTokens.values())
      if (access.caller !== 'app' && access.caller.userId === userId) access.expires = this.now();
  }

  /** All refresh tokens of the user are refused; access tokens live on to their end, as they do. */
  revokeGrant(userId: string): void {
    for (const token of this.refreshTokens.values())
      if (token.userId === userId) token.revoked = true;
  }

  /** Makes a folder with what is missing above it, or changes what is given; the id. */
  folder(path: string, options: ItemOptions = {}): string {
    return this.#put(path, 'folder', options).id;
  }

  /** Makes a file with what is missing above it, or changes what is given; the id. */
  file(path: string, options: FileOptions = {}): string {
    return this.#put(path, 'file', options).id;
  }

  /** A OneNote notebook, which is neither a file nor a folder; the id. */
  notebook(path: string, options: ItemOptions = {}): string {
    return this.#put(path, 'package', options).id;
  }

  /** A shortcut to a folder of another drive; the id. */
  shortcut(path: string, options: ItemOptions = {}): string {
    const item = this.#put(path, 'folder', options);
    item.remote = {
      id: `01${item.id.slice(2).split('').reverse().join('')}`,
      driveId: `b!${randomBytes(48).toString('base64url')}`,
    };
    return item.id;
  }

  remove(id: string): void {
    this.items.remove(this.#known(id));
  }

  /** The user does not see the item any more, nor what is below it. */
  hide(id: string, userId: string): void {
    this.#known(id).hiddenFrom.add(userId);
  }

  /** The user may look at the item and what is below it, but not change it. */
  protect(id: string, userId: string): void {
    this.#known(id).readOnlyFor.add(userId);
  }

  /** Folders directly below the root, by name, with all that the application sees of their permissions. */
  folders(): { id: string; name: string; permissions: Permission[] }[] {
    return [...this.items.root.children.values()]
      .filter(({ kind }) => kind === 'folder')
      .map((item) => ({
        id: item.id,
        name: item.name,
        permissions: permissionsOf(this, item).map((one) => ({ ...one, roles: [...one.roles] })),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** At the item `root` for the whole drive; the id. */
  addPermission(itemId: string, permission: NewPermission): string {
    if (permission.user !== undefined) this.#knownUser(permission.user);
    return grant(this.#known(itemId), permission).id;
  }

  /** Below the root, made by a person: the first user, where there is one; the id. */
  addFolder(name: string, by = [...this.users.keys()][0]): string {
    return this.items.add(this.items.root, name, 'folder', by === undefined ? {} : { by }).id;
  }

  renameItem(id: string, name: string): void {
    const item = this.#known(id);
    if (!item.parent) throw new Error('The root has no name.');
    this.items.place(item, item.parent, name, 'app');
  }

  /** Into another folder. */
  moveItem(id: string, folderId: string): void {
    const item = this.#known(id);
    this.items.place(item, this.#known(folderId), item.name, 'app');
  }

  removeItem(id: string): void {
    this.remove(id);
  }

  /** The bytes of a file. */
  contentOf(id: string): Buffer {
    return this.#known(id).content;
  }

  throttle(options: Throttle = {}): void {
    this.throttles.push({ ...options, left: options.times ?? 1 });
  }

  /** Text that only this tenant can have written, in the form of a JWT. */
  seal(claims: object): string {
    const text = [{ typ: 'JWT', alg: 'HS256' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${this.#sign(text)}`;
  }

  /** What was sealed, or undefined. */
  unseal(sealed: string): any {
    const [header = '', claims = '', signature = ''] = sealed.split('.');
    return this.#sign(`${header}.${claims}`) === signature
      ? JSON.parse(Buffer.from(claims, 'base64url').toString())
      : undefined;
  }

  #sign = (text: string) => createHmac('sha256', this.#key).update(text).digest('base64url');

  #put(path: string, kind: Item['kind'], options: FileOptions): Item {
    const names = path.split('/').filter((name) => name !== '');
    const last = names.pop();
    if (last === undefined) return this.items.root;
    const parent = names.reduce(
      (at, name) => this.items.child(at, name) ?? this.items.add(at, name, 'folder'),
      this.items.root,
    );
    const there = this.items.child(parent, last);
    if (there && there.kind !== kind)
      throw new Error(`${path} is there already, as a ${there.kind}.`);
    if (!there) return this.items.add(parent, last, kind, options);
    if (options.content !== undefined) this.items.write(there, Buffer.from(options.content), 'app');
    this.items.describe(there, options);
    return there;
  }

  #known(id: string): Item {
    const item = this.items.byId(id);
    if (!item) throw new Error(`There is no item ${id}.`);
    return item;
  }

  #knownUser(id: string): void {
    if (!this.users.has(id)) throw new Error(`There is no user ${id}.`);
  }
}

/** What a client sends as `code_challenge` for its verifier. */
export const challengeOf = (verifier: string) =>
  createHash('sha256').update(verifier).digest('base64url');
