/** Schemas of storages, of their OAuth records, and of their use by projects. */
import type { Profile } from '../src/contract/profiles.js';
import { ownMemberNames, storageTypes, type StorageType } from '../src/storages/types.js';
import * as documents from '../src/rest/generated/documents.js';
import { storageUrn } from '../src/rest/represent/urns.js';
import { collectionMembers, pageMembers } from './collections.js';
import { absentForNull, fieldOf, membersOf } from './derive.js';
import { links, type Links } from './links.js';
import {
  array,
  constant,
  described,
  embedded,
  id,
  link,
  linkTo,
  urnLink,
  methodMember,
  namedUrnLink,
  nullLink,
  object,
  oneOf,
  ref,
  targetTitle,
  templated,
  titled,
  titleOf,
  uri,
  type Members,
  type Schema,
} from './shapes.js';

/** The members of a type of storage. Members without a value are null, or the audience is absent. */
function membersOfType({ omitsUnknown, showsExchangeScope }: Profile, type: StorageType): Members {
  const { hasOrigin, members, foldersNeed } = storageTypes[type];
  const all = membersOf(documents.StorageMembersFragmentDoc, {
    // It is null in GraphQL for types without an origin. Their documents do not have it.
    hasApplicationPassword: { type: 'boolean' },
    automaticallyManagedFolders: { type: 'boolean' },
  });
  const foreign: string[] = [
    ...(foldersNeed === 'automaticallyManagedFolders' ? [] : ['automaticallyManagedFolders']),
    ...(hasOrigin ? [] : ['storageAudience', 'tokenExchangeScope', 'hasApplicationPassword']),
    ...ownMemberNames.filter((name) => !Object.hasOwn(members, name)),
  ];
  const { storageAudience, tokenExchangeScope, ...others } = Object.fromEntries(
    Object.entries(all).filter(([name]) => !foreign.includes(name)),
  );
  const signOn = {
    ...(storageAudience && { storageAudience }),
    ...(tokenExchangeScope && showsExchangeScope && { tokenExchangeScope }),
  };
  return { ...others, ...(omitsUnknown ? absentForNull(signOn) : signOn) };
}

const prepareUpload = templated(
  { type: 'string', pattern: '^/api/v3/storages/[1-9]\\d*/files/prepare_upload$' },
  {
    method: methodMember(constant('post')),
    title: targetTitle,
    payload: object(
      {
        projectId: described('The project for which the file is uploaded.', id),
        fileName: constant('{fileName}', 'Variable for the name of the file.'),
        parent: constant('{parent}', 'Variable for the folder: its id, or its path.'),
      },
      'The body to send, with variables in braces.',
    ),
  },
);

function storageLinks(profile: Profile, type: StorageType): Links {
  const urn = (name: string) => storageUrn(profile, name);
  const { hasOrigin, names } = storageTypes[type];
  const name = names[profile.name];
  return {
    self: titled('/storages/{id}'),
    type: namedUrnLink(urn(name), name),
    ...(hasOrigin && {
      authenticationMethod: oneOf(
        urnLink(urn('authenticationMethod:TwoWayOAuth2')),
        urnLink(urn('authenticationMethod:OAuth2SSO')),
      ),
      origin: linkTo(uri),
    }),
    prepareUpload: array(prepareUpload),
    open: link('/storages/{id}/open'),
    authorizationState: oneOf(
      namedUrnLink(urn('authorization:Connected'), 'Connected'),
      namedUrnLink(urn('authorization:FailedAuthorization'), 'Authorization failed'),
      namedUrnLink(urn('authorization:Error'), 'Error'),
    ),
    'authorize?': linkTo(uri, { title: titleOf('Authorize') }),
    projectStorages: linkTo({ type: 'string', pattern: '^/api/v3/project_storages\\?filters=' }),
  };
}

/** A storage for users: without OAuth records. */
const forUsers = (profile: Profile, type: StorageType): Schema =>
  object({ ...membersOfType(profile, type), _links: links(storageLinks(profile, type)) });

/** A storage for administrators, with or without client credentials. */
function forAdministrators(
  profile: Profile,
  type: StorageType,
  { application, credentials }: { application: string; credentials: boolean },
): Schema {
  const isUsed = !profile.onlyUsedApplications || storageTypes[type].redirectPath !== undefined;
  const inside = {
    ...(isUsed && { oauthApplication: ref(application) }),
    ...(credentials && { oauthClientCredentials: ref('OAuthClientCredentials') }),
  };
  return object({
    ...membersOfType(profile, type),
    ...(Object.keys(inside).length > 0 && { _embedded: embedded(inside) }),
    _links: links({
      ...storageLinks(profile, type),
      ...(isUsed && { oauthApplication: titled('/oauth_applications/{id}') }),
      oauthClientCredentials: credentials ? link('/oauth_client_credentials/{id}') : nullLink,
    }),
  });
}

function storages(profile: Profile): Members {
  const types = Object.keys(storageTypes) as StorageType[];
  const application = 'OAuthApplication';
  return {
    Storage: {
      description: 'An external file service. Administrators see its OAuth records as well.',
      ...oneOf(
        ...types.flatMap((type) => [
          forUsers(profile, type),
          forAdministrators(profile, type, { application, credentials: false }),
          forAdministrators(profile, type, { application, credentials: true }),
        ]),
      ),
    },
    NewStorage: {
      description: 'A new storage. The secret of its OAuth application cannot be read again.',
      ...oneOf(
        ...types.map((type) =>
          forAdministrators(profile, type, {
            application: 'NewOAuthApplication',
            credentials: false,
          }),
        ),
      ),
    },
    StorageCollection: profile.wholeStorages
      ? object(
          { ...collectionMembers('Storage'), _links: links({ self: link('/storages') }) },
          'All storages, newest first.',
        )
      : object(pageMembers('Storage', '/storages'), 'A page of storages, newest first.'),
  };
}

const application = membersOf(documents.OAuthApplicationMembersFragmentDoc);
const applicationLinks = links({
  self: titled('/oauth_applications/{id}'),
  owner: titled('/users/{id}'),
  'integration?': titled('/storages/{id}'),
  redirectUri: array(linkTo(uri)),
});

const oauthRecords: Members = {
  OAuthApplication: object(
    { ...application, _links: applicationLinks },
    "A client of this service's authorization server.",
  ),
  NewOAuthApplication: object(
    {
      ...application,
      // It is null in GraphQL for storages without an application.
      clientSecret: { ...fieldOf('CreateStoragePayload', 'clientSecret'), type: 'string' },
      _links: applicationLinks,
    },
    "A client of this service's authorization server, with its secret.",
  ),
  OAuthClientCredentials: object(
    {
      ...membersOf(documents.OAuthClientCredentialsMembersFragmentDoc),
      _links: links({
        self: link('/oauth_client_credentials/{id}'),
        integration: titled('/storages/{id}'),
      }),
    },
    'The OAuth client with which this service calls a storage, without the secret.',
  ),
};

const projectStorageLinks = {
  self: link('/project_storages/{id}'),
  'projectFolder?': linkTo({
    type: 'string',
    pattern: '^/api/v3/storages/[1-9]\\d*/files/.+$',
  }),
  storage: titled('/storages/{id}'),
  project: titled('/projects/{id}'),
  creator: titled('/users/{id}'),
};

const projectStorages: Members = {
  ProjectStorage: {
    description: 'A storage as a project uses it.',
    ...oneOf(
      object(
        {
          ...membersOf(documents.ProjectStorageMembersFragmentDoc),
          _links: links({
            ...projectStorageLinks,
            open: link('/project_storages/{id}/open'),
            openWithConnectionEnsured: linkTo({
              type: ['string', 'null'],
              pattern:
                '^(/oauth_clients/[^/]+/ensure_connection' +
                '\\?destination_url=[^&]+&storage_id=[1-9]\\d*' +
                '|/projects/[^/]+/project_storages/[1-9]\\d*/open)$',
            }),
          }),
        },
        'The caller may open the folder of the project.',
      ),
      object(
        {
          ...membersOf(documents.ProjectStorageMembersFragmentDoc),
          projectFolderMode: constant('automatic', 'The service manages the folder.'),
          _links: links(projectStorageLinks),
        },
        'The caller lacks the permission `read_files` for the folder.',
      ),
    ),
  },
  ProjectStorageCollection: object(
    {
      ...collectionMembers('ProjectStorage'),
      _links: links({
        self: linkTo({ type: 'string', pattern: '^/api/v3/project_storages(\\?filters=.*)?$' }),
      }),
    },
    'The storages of projects on one page, newest first.',
  ),
};

export const storageSchemas = (profile: Profile): Members => ({
  ...storages(profile),
  ...oauthRecords,
  ...projectStorages,
});
