/** The state of one file server: its settings, clock, users, grants and files. */
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import type { FakeRequest } from '../http-server.js';
import { Files } from './files.js';
import { Grants } from './grants.js';
import { secret } from './secret.js';
import { Team, TEAM, TEAM_REST } from './team-folder.js';

/** What a test may change at any time. */
export interface Settings {
  maintenance: boolean;
  /** Of the integration app. */
  appEnabled: boolean;
  appVersion: string;
  groupFoldersEnabled: boolean;
  readonly disabledUsers: Set<string>;
  /** Bytes of one file in a direct upload. */
  uploadLimit: number;
  client: Client | undefined;
  /** Whose tokens are accepted as bearers; nobody's when absent. */
  sso: SingleSignOn | undefined;
}

/** The one OAuth client of the server. */
export interface Client {
  id: string;
  secret: string;
  redirectUri: string;
}

export interface SingleSignOn {
  issuer: string;
  /** Must be among a token's audiences. */
  audience: string;
  jwks: () => JSONWebKeySet | Promise<JSONWebKeySet>;
  /** `sub` when absent. */
  uidClaim?: string;
  /** Unknown users are made at their first request; true when absent. */
  autoProvision?: boolean;
}

export interface UserOptions {
  displayName?: string;
  /** None: it cannot log in with a password. */
  password?: string;
  groups?: string[];
  email?: string;
  /** The file id of the root folder. */
  rootId?: number;
}

export interface User {
  readonly id: string;
  displayName: string;
  password: string | undefined;
  groups: string[];
  email: string | null;
  readonly appPasswords: Set<string>;
  /** Bytes; unlimited when absent. */
  quota: number | undefined;
  backend: 'Database' | 'user_oidc';
  /** Unix seconds. */
  readonly since: number;
}

/** Who asks, or why that is unknown. */
export type Caller = { user: string } | { refused: 'anonymous' | 'basic' | 'bearer' | 'disabled' };

export interface Session {
  user?: string;
  /** Of the authorization that is under way. */
  state?: string;
}

/** Names the server in ids of its files and in its cookies. */
export const INSTANCE = 'oc7k2m9x4q1z';

export class Site {
  readonly settings: Settings = {
    maintenance: false,
    appEnabled: true,
    appVersion: '3.1.1',
    groupFoldersEnabled: true,
    disabledUsers: new Set(),
    uploadLimit: 536_870_912,
    client: undefined,
    sso: undefined,
  };
  readonly users = new Map<string, User>();
  readonly sessions = new Map<string, Session>();
  /** Of uploads by a browser, each for one attempt. */
  readonly uploadTokens = new Map<string, { user: string; folder: number; until: number }>();
  readonly downloadTokens = new Map<string, { user: string; file: number; until: number }>();
  /** Absent until it is set up. */
  team: Team | undefined;
  private shift = 0;
  readonly now = (): number => Math.floor(Date.now() / 1000) + this.shift;
  readonly files = new Files(this.now);
  readonly grants = new Grants(this.now);

  advance(seconds: number): void {
    this.shift += seconds;
  }

  user(id: string, options: UserOptions = {}, backend: User['backend'] = 'Database'): User {
    const user: User = {
      id,
      backend,
      displayName: options.displayName ?? id,
      password: options.password,
      groups: options.groups ?? [],
      email: options.email ?? null,
      appPasswords: new Set(),
      quota: undefined,
      since: this.now(),
    };
    this.users.set(id, user);
    this.files.root(id, options.rootId);
    return user;
  }

  /** Everybody whom a test names is there. */
  known(id: string): User {
    const user = this.users.get(id);
    if (!user) throw new Error(`The file server has no user ${id}.`);
    return user;
  }

  /** Sets up the team folder, or gives the one that is there. */
  teamFolder(options: { password?: string; id?: number } = {}): Team {
    if (this.team && options.password !== undefined) this.team.changePassword(options.password);
    return (this.team ??= new Team(this, options));
  }

  /** Sorted. */
  membersOf(group: string): string[] {
    return [...this.users.values()]
      .filter(({ groups }) => groups.includes(group))
      .map(({ id }) => id)
      .sort();
  }

  hasGroup(group: string): boolean {
    return group === 'admin' || this.membersOf(group).length > 0;
  }

  /** The groups that the user administers. */
  administered(id: string): string[] {
    return id === TEAM && this.known(id).groups.includes(TEAM) ? [TEAM, TEAM_REST] : [];
  }

  /** Bytes that the user may still add. */
  free(id: string): number {
    return (this.known(id).quota ?? Infinity) - this.files.size(this.files.root(id));
  }

  async caller(request: FakeRequest): Promise<Caller> {
    const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(/ (.*)/s);
    const user = /^basic$/i.test(scheme)
      ? this.byPassword(value)
      : /^bearer$/i.test(scheme)
        ? await this.byToken(value)
        : this.session(request)?.user;
    if (user === undefined)
      return {
        refused: scheme === '' ? 'anonymous' : (scheme.toLowerCase() as 'basic' | 'bearer'),
      };
    return this.settings.disabledUsers.has(user) ? { refused: 'disabled' } : { user };
  }

  session(request: FakeRequest): Session | undefined {
    return this.sessions.get(
      new RegExp(`${INSTANCE}=(\\w+)`).exec(request.headers.cookie ?? '')?.[1] ?? '',
    );
  }

  /** @returns the id of its cookie */
  startSession(session: Session): string {
    const id = secret(26);
    this.sessions.set(id, session);
    return id;
  }

  passes(id: string, password: string): boolean {
    const user = this.users.get(id);
    return user !== undefined && (user.password === password || user.appPasswords.has(password));
  }

  private byPassword(value: string): string | undefined {
    const [id = '', password = ''] = Buffer.from(value, 'base64').toString('utf8').split(/:(.*)/s);
    return this.passes(id, password) ? id : undefined;
  }

  private async byToken(token: string): Promise<string | undefined> {
    return (
      this.grants.userOf(token) ??
      (token.split('.').length === 3 ? this.bySignedToken(token) : undefined)
    );
  }

  private async bySignedToken(token: string): Promise<string | undefined> {
    const { sso } = this.settings;
    if (!sso) return undefined;
    try {
      const { payload } = await jwtVerify(token, createLocalJWKSet(await sso.jwks()), {
        issuer: sso.issuer,
        audience: sso.audience,
        clockTolerance: 60,
        currentDate: new Date(this.now() * 1000),
        requiredClaims: ['exp'],
      });
      const id = payload[sso.uidClaim ?? 'sub'];
      if (typeof id !== 'string') return undefined;
      if (!this.users.has(id) && sso.autoProvision === false) return undefined;
      if (!this.users.has(id)) this.user(id, {}, 'user_oidc');
      return id;
    } catch {
      return undefined;
    }
  }
}
