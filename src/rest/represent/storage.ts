/** Storages and what belongs to them (interface 2.8). */
import type { Profile } from '../../contract/profiles.js';
import type {
  OAuthApplicationHalFragment,
  OAuthClientCredentialsHalFragment,
  ProjectStorageHalFragment,
  StorageHalFragment,
} from '../documents/index.js';
import { storageTypes, type OwnMemberName } from '../../storages/types.js';
import { paths } from './paths.js';
import type { Link } from './respond.js';
import { storageUrn } from './urns.js';

const stateTitles: { readonly [state in StorageHalFragment['authorizationState']]: string } = {
  Connected: 'Connected',
  FailedAuthorization: 'Authorization failed',
  Error: 'Error',
};

/** @param clientSecret of the OAuth application, in the answer that makes the storage */
export function representStorage(
  profile: Profile,
  storage: StorageHalFragment,
  clientSecret?: string,
) {
  const {
    _type,
    id,
    type,
    name,
    configured,
    createdAt,
    updatedAt,
    oauthApplication,
    oauthClientCredentials,
    authorizationState,
    authorizeUrl,
    uploadProjects,
  } = storage;
  const { hasOrigin: server, names, members } = storageTypes[type];
  const embedded = {
    ...(oauthApplication && {
      oauthApplication: representOAuthApplication(oauthApplication, clientSecret),
    }),
    ...(oauthClientCredentials && {
      oauthClientCredentials: representCredentials(oauthClientCredentials),
    }),
  };
  return {
    _type,
    id,
    name,
    ...(server
      ? {
          storageAudience: storage.storageAudience,
          hasApplicationPassword: storage.hasApplicationPassword,
        }
      : {}),
    ...Object.fromEntries(
      Object.keys(members).map((name) => [name, storage[name as OwnMemberName]]),
    ),
    configured,
    createdAt,
    updatedAt,
    ...(oauthApplication && { _embedded: embedded }),
    _links: {
      self: { href: paths.storage(id), title: name },
      type: { href: storageUrn(profile, names[profile.name]), title: names[profile.name] },
      ...(server && {
        authenticationMethod: {
          href: storageUrn(profile, `authenticationMethod:${storage.authenticationMethod}`),
        },
        origin: { href: storage.origin },
      }),
      prepareUpload: uploadProjects.map((project) => prepareUpload(id, project.id)),
      open: { href: paths.storageOpen(id) },
      authorizationState: {
        href: storageUrn(profile, `authorization:${authorizationState}`),
        title: stateTitles[authorizationState],
      },
      ...(authorizeUrl !== null && { authorize: { href: authorizeUrl, title: 'Authorize' } }),
      projectStorages: { href: paths.projectStoragesOf(id) },
      // An application belongs to every storage, so whoever does not get it is no administrator.
      ...(oauthApplication && {
        oauthApplication: {
          href: paths.oauthApplication(oauthApplication.id),
          title: oauthApplication.name,
        },
        oauthClientCredentials: {
          href: oauthClientCredentials
            ? paths.oauthClientCredentials(oauthClientCredentials.id)
            : null,
        },
      }),
    },
  };
}

const prepareUpload = (id: number, projectId: number): Link => ({
  href: paths.storageUpload(id),
  method: 'post',
  title: 'Upload file',
  payload: { projectId, fileName: '{fileName}', parent: '{parent}' },
  templated: true,
});

export function representOAuthApplication(
  { redirectUris, owner, integration, ...own }: OAuthApplicationHalFragment,
  clientSecret?: string,
) {
  return {
    ...own,
    ...(clientSecret !== undefined && { clientSecret }),
    _links: {
      self: { href: paths.oauthApplication(own.id), title: own.name },
      owner: { href: paths.user(owner.id), title: owner.name },
      ...(integration && {
        integration: { href: paths.storage(integration.id), title: integration.name },
      }),
      redirectUri: redirectUris.map((href) => ({ href })),
    },
  };
}

export const representCredentials = ({
  integration,
  ...own
}: OAuthClientCredentialsHalFragment) => ({
  ...own,
  _links: {
    self: { href: paths.oauthClientCredentials(own.id) },
    integration: { href: paths.storage(integration.id), title: integration.name },
  },
});

export const representProjectStorage = ({
  _type,
  id,
  createdAt,
  updatedAt,
  projectFolderMode,
  projectFolderId,
  openWithConnectionUrl,
  storage,
  project,
  creator,
}: ProjectStorageHalFragment) => ({
  _type,
  id,
  createdAt,
  updatedAt,
  projectFolderMode,
  _links: {
    self: { href: paths.projectStorage(id) },
    ...(projectFolderId !== null && {
      projectFolder: { href: paths.storageFile(storage.id, projectFolderId) },
    }),
    open: { href: paths.projectStorageOpen(id) },
    openWithConnectionEnsured: { href: openWithConnectionUrl },
    storage: { href: paths.storage(storage.id), title: storage.name },
    project: { href: paths.project(project.id), title: project.name },
    creator: { href: paths.user(creator.id), title: creator.name },
  },
});
