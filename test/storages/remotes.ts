/** Both types of storages as the contract needs them: a fake, and what makes it known to us. */
import type { App } from '../support/app.js';
import type { NewStorage, Person, StorageHandle } from '../support/factories.js';
import type { FakeRequest, FakeServer } from '../support/fakes/http-server.js';
import { startCloudDrive, type CloudDrive } from '../support/fakes/cloud-drive.js';
import { startFileServer } from '../support/fakes/file-server.js';

export interface Remote {
  server: FakeServer;
  /** Settings with which our server finds it. */
  environment: { [name: string]: string };
  /** How it is kept, with our client there. */
  storage: NewStorage;
  /** Tokens of its user. */
  grant(): { accessToken: string; refreshToken: string };
  /** A code that the user's browser brings back; the address is the one that the browser was sent to. */
  code(authorizeUrl: string): string;
  /** The access tokens of the user stop; they can be refreshed. */
  expireAccess(): void;
  /** The user takes back what was granted. */
  revoke(): void;
  /** Lets its client secret be another one. */
  changeSecret(): void;
  /** Who the user is there. */
  userId: string;
  asksUser(request: FakeRequest): boolean;
  asksToken(request: FakeRequest): boolean;
  /** Whether it takes part in PKCE. */
  pkce: boolean;
  /** Errors, each with status 400, by which it takes a grant back, those that may pass, and those by which it wants to see the person. */
  refusals: {
    definite: readonly string[];
    passing: readonly string[];
    wantPerson: readonly string[];
  };
  /** What must hold in the end. */
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
    // It knows no better word.
    refusals: {
      definite: ['invalid_request', 'invalid_grant', 'invalid_client', 'anything'],
      passing: [],
      wantPerson: [],
    },
    storage: { type: 'SelfHostedFileServer', origin: server.url, client },
    grant: () => server.grant('mia'),
    code: () => server.grantCode('mia'),
    expireAccess: () => server.expireAccess('mia'),
    revoke: () => server.revokeGrant('mia'),
    changeSecret: () =>
      server.setClient({
        ...client,
        secret: 'another-secret',
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
      passing: ['invalid_request', 'invalid_client', 'temporarily_unavailable'],
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
    changeSecret: () => server.setClient({ secret: 'another-secret' }),
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

/** A storage that a new person may see, with tokens unless told otherwise. */
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
