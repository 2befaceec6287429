/** Both types of storages for the contract, each with a fake. */
import type { App } from '../support/app.js';
import type { NewStorage, Person, StorageHandle } from '../support/factories.js';
import type { FakeRequest, FakeServer } from '../../demo/servers/http-server.js';
import { startCloudDrive, type CloudDrive } from '../support/fakes/cloud-drive.js';
import { startFileServer } from '../../demo/servers/file-server.js';

export interface Remote {
  server: FakeServer;
  /** Settings with which the service reaches it. */
  environment: { [name: string]: string };
  /** The stored storage, with the credentials of our OAuth client. */
  storage: NewStorage;
  /** Creates tokens of its user. */
  grant(): { accessToken: string; refreshToken: string };
  /** The code that the user's browser brings back. `authorizeUrl` is the address to which the browser was sent. */
  code(authorizeUrl: string): string;
  /** Ends the access tokens of the user. They can be refreshed. */
  expireAccess(): void;
  /** The user revokes the grant. */
  revoke(): void;
  /** Changes its client secret, or sets the first one again. */
  changeSecret(secret?: string): void;
  /** The id of the user at the storage. */
  userId: string;
  asksUser(request: FakeRequest): boolean;
  asksToken(request: FakeRequest): boolean;
  /** Whether it supports PKCE. */
  pkce: boolean;
  /**
   * OAuth errors with status 400: those that end a grant, temporary ones, and those that need the
   * user again. Those that refuse the client are the same for all types.
   */
  refusals: {
    definite: readonly string[];
    passing: readonly string[];
    wantPerson: readonly string[];
  };
  /** Assertions at the end. */
  check(): void;
  close(): Promise<void>;
}

const client = { id: 'client-id-of-ours', secret: 'planted-client-secret' };

export async function fileServerRemote(): Promise<Remote> {
  const server = await startFileServer();
  server.user('mia', { displayName: 'Mia Ray', password: 'planted-mia-password' });
  server.setClient({ ...client, redirectUri: 'http://127.0.0.1/unused' });
  return {
    server,
    environment: {},
    userId: 'mia',
    pkce: false,
    // The server says `invalid_request` of a token that it does not know.
    refusals: {
      definite: ['invalid_request', 'invalid_grant'],
      passing: ['temporarily_unavailable', 'anything'],
      wantPerson: [],
    },
    storage: { type: 'SelfHostedFileServer', origin: server.url, client },
    grant: () => server.grant('mia'),
    code: () => server.grantCode('mia'),
    expireAccess: () => server.expireAccess('mia'),
    revoke: () => server.revokeGrant('mia'),
    changeSecret: (secret = 'another-secret') =>
      server.setClient({
        ...client,
        secret,
        redirectUri: 'http://127.0.0.1/unused',
      }),
    asksUser: ({ path }) => path === '/ocs/v1.php/cloud/user',
    asksToken: ({ path }) => path === '/index.php/apps/oauth2/api/v1/token',
    check: () => undefined,
    close: () => server.close(),
  };
}

export async function cloudDriveRemote(): Promise<Remote> {
  const server: CloudDrive = await startCloudDrive();
  server.user('mia', {
    displayName: 'Mia Ray',
    email: 'mia@example.test',
    password: 'planted-mia-password',
  });
  server.setClient(client);
  return {
    server,
    environment: { CLOUD_DRIVE_LOGIN_URL: server.loginUrl, CLOUD_DRIVE_API_URL: server.apiUrl },
    userId: 'mia',
    pkce: true,
    refusals: {
      definite: ['invalid_grant'],
      passing: ['invalid_request', 'temporarily_unavailable'],
      wantPerson: [
        'interaction_required',
        'login_required',
        'account_selection_required',
        'consent_required',
      ],
    },
    storage: { type: 'CloudDrive', tenantId: server.tenantId, driveId: server.driveId, client },
    grant: () => server.grant('mia'),
    code(authorizeUrl) {
      const query = new URL(authorizeUrl).searchParams;
      return server.grantCode('mia', {
        codeChallenge: query.get('code_challenge')!,
        redirectUri: query.get('redirect_uri')!,
        scope: query.get('scope')!,
      });
    },
    expireAccess: () => server.expireAccess('mia'),
    revoke: () => server.revokeGrant('mia'),
    changeSecret: (secret = 'another-secret') => server.setClient({ secret }),
    asksUser: ({ path }) => path === '/v1.0/me',
    asksToken: ({ path }) => path.endsWith('/oauth2/v2.0/token'),
    check() {
      if (server.violations.length > 0)
        throw new Error(
          `The drive was spoken to, or spoke, against its description:\n${server.violations.join('\n')}`,
        );
    },
    close: () => server.close(),
  };
}

/** A storage that a new user can see, with tokens by default. */
export async function connected(
  app: App,
  remote: Remote,
  { tokens = true, expiresInSeconds = 3600 }: { tokens?: boolean; expiresInSeconds?: number } = {},
): Promise<{ storage: StorageHandle; person: Person }> {
  const { given } = app;
  const project = await given.project();
  const person = await given.member(project, ['view_work_packages', 'view_file_links'], {
    password: 'planted-password',
  });
  const storage = await given.storage(
    remote.storage.origin === undefined ? remote.storage : { ...remote.storage },
  );
  await given.projectStorage(project, storage);
  if (tokens)
    await given.storageTokens(person, storage, {
      ...remote.grant(),
      expiresInSeconds,
      originUserId: remote.userId,
    });
  return { storage, person };
}
