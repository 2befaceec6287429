/** Applications of the authorization server, and users who can sign in. */
import { randomBytes, scryptSync } from 'node:crypto';
import { OAuthApplication } from '../../../../src/models/oauth-application.js';
import { User } from '../../../../src/models/user.js';
import { hashToken } from '../../../../src/secrets/keys-and-tokens.js';
import type { App } from '../../../support/app.js';
import type { Person } from '../../../support/factories.js';

export const REDIRECT = 'https://cloud.example.test/oauth-redirect';
export const PASSWORD = 'correct horse battery staple';

export interface Application {
  id: number;
  name: string;
  clientId: string;
  secret: string;
}

export async function application(
  app: App,
  owner: { id: number },
  {
    confidential = true,
    redirectUris = [REDIRECT],
  }: { confidential?: boolean; redirectUris?: string[] } = {},
): Promise<Application> {
  const [name, clientId, secret] = [
    'A <b>tool</b> & more',
    randomBytes(16).toString('hex'),
    randomBytes(32).toString('base64url'),
  ];
  const now = new Date().toISOString();
  const { id } = await OAuthApplication.query(app.running.services.db.write).insert({
    name,
    clientId,
    clientSecretHash: confidential ? hashToken(secret) : null,
    confidential,
    redirectUris,
    scopes: ['api_v3'],
    ownerId: owner.id,
    storageId: null,
    createdAt: now,
    updatedAt: now,
  });
  return { id, name, clientId, secret };
}

/** A user with a password. */
export async function signable(
  app: App,
  options: Parameters<App['given']['user']>[0] = {},
): Promise<Person> {
  const person = await app.given.user(options);
  await User.query(app.running.services.db.write).findById(person.id).patch({ passwordHash });
  return person;
}
/** Its cost is low, because some tests sign in hundreds of times. A stored hash names its own cost. */
const passwordHash = lowCostHash(PASSWORD);

function lowCostHash(password: string): string {
  const [N, r, p, salt] = [2, 8, 1, randomBytes(16)];
  const hash = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}
