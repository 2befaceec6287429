/** Authorization codes and tokens of the one OAuth client. */
import { empty, fields, json, unavailable, UNCACHED, type Answer, type Call } from './answer.js';
import { secret } from './secret.js';
import type { Site } from './site.js';

/** Seconds. */
const CODE_LIFE = 600;
const ACCESS_LIFE = 3600;
/** How long an access token that was replaced is still accepted. */
const GRACE = 10;

interface Grant {
  user: string;
  /** The authorization code, once redeemed the refresh token: one place for both. */
  code: string;
  redeemed: boolean;
  issued: number;
  access: { token: string; until: number }[];
  /** A refresh gives the same tokens again. */
  kept?: { accessToken: string; refreshToken: string };
}

export class Grants {
  private grants: Grant[] = [];

  constructor(private readonly now: () => number) {}

  code(user: string): string {
    const code = secret(128);
    this.grants.push({ user, code, redeemed: false, issued: this.now(), access: [] });
    return code;
  }

  grant(user: string): { accessToken: string; refreshToken: string } {
    const grant = this.find(this.code(user), 'authorization_code');
    if (!grant) throw new Error('A fresh code can be redeemed.');
    return this.renew(grant);
  }

  /** Tokens that are accepted until they are revoked. */
  keep(user: string, kept: { accessToken: string; refreshToken: string }): void {
    const access = [{ token: kept.accessToken, until: Infinity }];
    this.grants.push({ user, code: kept.refreshToken, redeemed: true, issued: 0, access, kept });
  }

  find(code: string, type: string): Grant | undefined {
    const grant = this.grants.find(
      (one) => one.code === code && one.redeemed === (type === 'refresh_token'),
    );
    return grant && (grant.redeemed || grant.issued + CODE_LIFE > this.now()) ? grant : undefined;
  }

  renew(grant: Grant): { accessToken: string; refreshToken: string } {
    if (grant.kept) return grant.kept;
    const now = this.now();
    for (const access of grant.access) access.until = Math.min(access.until, now + GRACE);
    const token = secret(72);
    grant.access.push({ token, until: now + ACCESS_LIFE });
    grant.code = secret(128);
    grant.redeemed = true;
    return { accessToken: token, refreshToken: grant.code };
  }

  userOf(token: string): string | undefined {
    return this.grants.find(({ access }) =>
      access.some((one) => one.token === token && one.until > this.now()),
    )?.user;
  }

  expireAccess(user: string): void {
    for (const grant of this.grants)
      if (grant.user === user) for (const access of grant.access) access.until = 0;
  }

  revoke(user: string): void {
    this.grants = this.grants.filter((grant) => grant.user !== user);
  }
}

/** The token endpoint, with the error codes of the real one, which are not those of the standard. */
export function tokenEndpoint(site: Site, call: Call): Answer {
  if (site.settings.maintenance) return unavailable();
  const given = fields(call);
  const type = given['grant_type'];
  if (type === undefined || type === '') return empty(400, UNCACHED);
  if (type !== 'authorization_code' && type !== 'refresh_token')
    return json(400, { error: 'invalid_grant' });
  const grant = site.grants.find(
    String(given[type === 'refresh_token' ? type : 'code'] ?? ''),
    type,
  );
  const { client } = site.settings;
  if (!grant || !client) return json(400, { error: 'invalid_request' });
  const [id, password] = credentials(call) ?? [given['client_id'], given['client_secret']];
  if (id !== client.id || password !== client.secret) return json(400, { error: 'invalid_client' });
  const { accessToken, refreshToken } = site.grants.renew(grant);
  return json(200, {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_LIFE,
    refresh_token: refreshToken,
    user_id: grant.user,
  });
}

function credentials({ request }: Call): [string, string] | undefined {
  const [, value] = /^basic (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (value === undefined) return undefined;
  const [id = '', password = ''] = Buffer.from(value, 'base64').toString('utf8').split(/:(.*)/s);
  return [id, password];
}
