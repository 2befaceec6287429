/** Storages, their OAuth records, and their use by projects as HAL documents. */
import type { Profile } from '../../contract/profiles.js';
import type {
  OAuthApplicationHalFragment,
  OAuthClientCredentialsHalFragment,
  ProjectStorageHalFragment,
  StorageHalFragment,
} from '../generated/documents.js';
import {
  oAuthApplicationMembers,
  oAuthClientCredentialsMembers,
  projectStorageMembers,
  storageMembers,
} from '../generated/members.js';
import { ownMemberNames, storageTypes, type StorageType } from '../../storages/types.js';
import { words } from '../documents/words.js';
import { paths } from './paths.js';
import type { Link } from './respond.js';
import { storageUrn } from './urns.js';

const stateTitles: { readonly [state in StorageHalFragment['authorizationState']]: string } = {
  CONNECTED: 'Connected',
  FAILED_AUTHORIZATION: 'Authorization failed',
  ERROR: 'Error',
};

/** @param clientSecret of the OAuth application: sent once, when the storage is created */
export function representStorage(
  profile: Profile,
  storage: StorageHalFragment,
  clientSecret?: string | null,
) {
  const {
    id,
    name,
    viewerCanSeeOAuthRecords,
    oauthApplication,
    oauthClientCredentials,
    authenticationMethod,
    authorizationState,
    authorizeUrl,
    uploadProjects,
  } = storage;
  const type = words.storageType[storage.type];
  const { hasOrigin: server, names } = storageTypes[type];
  const embedded = {
    ...(oauthApplication && {
      oauthApplication: representOAuthApplication(oauthApplication, clientSecret),
    }),
    ...(oauthClientCredentials && {
      oauthClientCredentials: representCredentials(oauthClientCredentials),
    }),
  };
  return {
    ...storageMembers(storage),
    ...membersOfOtherTypes(type),
    ...signOn(profile, storage),
    ...(Object.keys(embedded).length > 0 && { _embedded: embedded }),
    _links: {
      self: { href: paths.storage(id), title: name },
      type: { href: storageUrn(profile, names[profile.name]), title: names[profile.name] },
      ...(server && {
        authenticationMethod: {
          href: storageUrn(
            profile,
            `authenticationMethod:${authenticationMethod && words.authenticationMethod[authenticationMethod]}`,
          ),
        },
        origin: { href: storage.origin },
      }),
      prepareUpload: uploadProjects.map((project) => prepareUpload(id, project.id)),
      open: { href: paths.storageOpen(id) },
      authorizationState: {
        href: storageUrn(profile, `authorization:${words.authorizationState[authorizationState]}`),
        title: stateTitles[authorizationState],
      },
      ...(authorizeUrl !== null && { authorize: { href: authorizeUrl, title: 'Authorize' } }),
      projectStorages: { href: paths.projectStoragesOf(id) },
      ...(oauthApplication && {
        oauthApplication: {
          href: paths.oauthApplication(oauthApplication.id),
          title: oauthApplication.name,
        },
      }),
      ...(viewerCanSeeOAuthRecords && {
        oauthClientCredentials: {
          href: oauthClientCredentials
            ? paths.oauthClientCredentials(oauthClientCredentials.id)
            : null,
        },
      }),
    },
  };
}

/** Members that a storage of this type does not have; JSON leaves them out. */
const membersOfOtherTypes = (type: StorageType): { [member: string]: undefined } => {
  const { hasOrigin, members, foldersNeed } = storageTypes[type];
  const foreign = [
    ...(foldersNeed === 'automaticallyManagedFolders' ? [] : ['automaticallyManagedFolders']),
    ...(hasOrigin ? [] : ['storageAudience', 'tokenExchangeScope', 'hasApplicationPassword']),
    ...ownMemberNames.filter((name) => !Object.hasOwn(members, name)),
  ];
  return Object.fromEntries(foreign.map((name) => [name, undefined]));
};

/** Members of the single sign-on that are left out: JSON has no `undefined`. */
const signOn = (
  { omitsUnknown, showsExchangeScope }: Profile,
  { storageAudience, tokenExchangeScope }: StorageHalFragment,
) => ({
  ...(omitsUnknown && storageAudience === null && { storageAudience: undefined }),
  ...((!showsExchangeScope || (omitsUnknown && tokenExchangeScope === null)) && {
    tokenExchangeScope: undefined,
  }),
});

const prepareUpload = (id: number, projectId: number): Link => ({
  href: paths.storageUpload(id),
  method: 'post',
  title: 'Upload file',
  payload: { projectId, fileName: '{fileName}', parent: '{parent}' },
  templated: true,
});

export function representOAuthApplication(
  application: OAuthApplicationHalFragment,
  clientSecret?: string | null,
) {
  const { id, name, redirectUris, owner, integration } = application;
  return {
    ...oAuthApplicationMembers(application),
    ...(clientSecret && { clientSecret }),
    _links: {
      self: { href: paths.oauthApplication(id), title: name },
      owner: { href: paths.user(owner.id), title: owner.name },
      ...(integration && {
        integration: { href: paths.storage(integration.id), title: integration.name },
      }),
      redirectUri: redirectUris.map((href) => ({ href })),
    },
  };
}

export function representCredentials(credentials: OAuthClientCredentialsHalFragment) {
  const { id, integration } = credentials;
  return {
    ...oAuthClientCredentialsMembers(credentials),
    _links: {
      self: { href: paths.oauthClientCredentials(id) },
      integration: { href: paths.storage(integration.id), title: integration.name },
    },
  };
}

export function representProjectStorage(projectStorage: ProjectStorageHalFragment) {
  const { id, projectFolderId, viewerCanOpenFolder, openWithConnectionUrl } = projectStorage;
  const { storage, project, creator } = projectStorage;
  return {
    ...projectStorageMembers(projectStorage),
    _links: {
      self: { href: paths.projectStorage(id) },
      ...(projectFolderId !== null && {
        projectFolder: { href: paths.storageFile(storage.id, projectFolderId) },
      }),
      ...(viewerCanOpenFolder && {
        open: { href: paths.projectStorageOpen(id) },
        openWithConnectionEnsured: { href: openWithConnectionUrl },
      }),
      storage: { href: paths.storage(storage.id), title: storage.name },
      project: { href: paths.project(project.id), title: project.name },
      creator: { href: paths.user(creator.id), title: creator.name },
    },
  };
}
