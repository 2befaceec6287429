/**
 * The part of connections that needs only a token. To get one, a user must consent in a browser, and lost or rotated
 * tokens need a storage that fails on demand. `connectionContract` tests these with fakes.
 */
import { startApp, type App } from '../support/app.js';
import type { NewStorage, Person, StorageHandle } from '../support/factories.js';
import { afterAll, ANSWER_MS, beforeAll, describe, expect, test } from '../support/jest.js';
import { endFakesAfterAll, environmentOf, wordFor } from './live-environment.js';
import type { Environment } from './live-remotes.js';

endFakesAfterAll();

interface Named {
  name: string;
  url: string;
  token: string;
  storage(environment: Environment): NewStorage;
  settings(environment: Environment): { [name: string]: string };
}

const client = { id: 'client-id-of-ours', secret: 'planted-client-secret' };
const storages: Named[] = [
  {
    name: 'self-hosted file server',
    url: 'CONTRACT_SELF_HOSTED_URL',
    token: 'CONTRACT_SELF_HOSTED_TOKEN',
    settings: () => ({}),
    storage: ({ CONTRACT_SELF_HOSTED_URL: origin }) => ({
      type: 'SelfHostedFileServer',
      origin: origin!,
      client,
    }),
  },
  {
    name: 'cloud drive',
    url: 'CONTRACT_CLOUD_DRIVE_URL',
    token: 'CONTRACT_CLOUD_DRIVE_TOKEN',
    settings: ({ CONTRACT_CLOUD_DRIVE_URL: url }) => ({ CLOUD_DRIVE_API_URL: url! }),
    storage: ({ CONTRACT_CLOUD_DRIVE_DRIVE: driveId }) => ({
      type: 'CloudDrive',
      tenantId: '00000000-0000-4000-8000-000000000000',
      driveId: driveId!,
      client,
    }),
  },
];

for (const { name, url, token, settings, storage: stored } of storages) {
  // A file server does not accept an app password as a bearer token.
  const tokenMissing = process.env[url] && !process.env[token];
  (tokenMissing ? describe.skip : describe)(
    `the connection to a ${wordFor(url)} ${name}${tokenMissing ? ` (skipped: ${token} is not set)` : ''}`,
    () => {
      let app: App;
      let storage: StorageHandle;
      let person: Person;
      let environment: Environment;
      beforeAll(async () => {
        environment = await environmentOf(url);
        app = await startApp({
          STORAGE_TIMEOUT_MS: String(ANSWER_MS),
          STORAGE_CONNECT_TIMEOUT_MS: String(ANSWER_MS / 5),
          ...settings(environment),
        });
        const project = await app.given.project();
        person = await app.given.member(project, ['view_work_packages', 'view_file_links']);
        storage = await app.given.storage(stored(environment));
        await app.given.projectStorage(project, storage);
      });
      afterAll(() => app.stop());

      const links = async (accessToken: string) => {
        await app.given.storageTokens(person, storage, { accessToken });
        const { authorizationState, authorize } = (await app.get(storage.path, person)).body._links;
        return [authorizationState, authorize?.title];
      };

      test('works with a token that the storage accepts', async () => {
        expect(await links(environment[token]!)).toEqual([
          { href: 'urn:service-org:api:v3:storages:authorization:Connected', title: 'Connected' },
          undefined,
        ]);
      });

      test('must be renewed after the storage refuses the token', async () => {
        expect(await links('nobody-has-this-token')).toEqual([
          {
            href: 'urn:service-org:api:v3:storages:authorization:FailedAuthorization',
            title: 'Authorization failed',
          },
          'Authorize',
        ]);
      });

      test('lists the root folder', async () => {
        await app.given.storageTokens(person, storage, { accessToken: environment[token]! });
        const { status, body } = await app.get(`${storage.path}/files`, person);
        expect([status, body.parent.name, body.parent.location, body.ancestors]).toEqual([
          200,
          'Root',
          '/',
          [],
        ]);
      });
    },
  );
}
