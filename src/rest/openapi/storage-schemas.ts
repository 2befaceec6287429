/** Storages and what belongs to them as representations (interface 2.8). */
import type { Profile } from '../../contract/profiles.js';
import { storageTypes } from '../../storages/types.js';
import { storageUrn, urn } from '../represent/urns.js';
import {
  action,
  array,
  constant,
  count,
  flag,
  id,
  link,
  object,
  oneOf,
  ref,
  text,
  time,
  title,
  titled,
  type Schema,
} from './shapes.js';

const nullable: Schema = { type: ['string', 'null'] };
const nullableTime: Schema = { ...time, type: ['string', 'null'] };
const uri: Schema = { type: 'string', format: 'uri' };
const templated = (path: string): Schema =>
  object({
    href: { type: 'string', pattern: `^/api/v3${path}\\?` },
    templated: { type: 'boolean', const: true },
  });
const paged = (path: string): Schema =>
  object({ href: { type: 'string', pattern: `^/api/v3${path}\\?` } });

const pageLinks = (path: string, self: Schema = paged(path)): Schema =>
  object({
    self,
    jumpTo: templated(path),
    changeSize: templated(path),
    'previousByOffset?': paged(path),
    'nextByOffset?': paged(path),
  });
const originData = {
  id: text,
  name: text,
  mimeType: nullable,
  size: { type: ['integer', 'null'], minimum: 0 },
  createdAt: nullableTime,
  lastModifiedAt: nullableTime,
  createdByName: nullable,
  lastModifiedByName: nullable,
};

const application = {
  _type: constant('OAuthApplication'),
  id,
  name: text,
  clientId: text,
  confidential: flag,
  createdAt: time,
  updatedAt: time,
  scopes: array(text),
};
const applicationLinks = object({
  self: titled('/oauth_applications/{id}'),
  owner: titled('/users/{id}'),
  'integration?': titled('/storages/{id}'),
  redirectUri: array(object({ href: uri })),
});

export function storageSchemas(profile: Profile): { [name: string]: Schema } {
  const urnOf = (name: string) => constant(storageUrn(profile, name));
  const called = (urn: string, name: string) => object({ href: urnOf(urn), title: constant(name) });

  const links = (adminOnly: { [name: string]: Schema }) => ({
    self: titled('/storages/{id}'),
    prepareUpload: array(
      object({
        href: { type: 'string', pattern: '^/api/v3/storages/[1-9]\\d*/files/prepare_upload$' },
        method: constant('post'),
        title,
        payload: object({
          projectId: id,
          fileName: constant('{fileName}'),
          parent: constant('{parent}'),
        }),
        templated: { type: 'boolean', const: true },
      }),
      { description: 'One for each project in which the client may upload to the storage.' },
    ),
    open: link('/storages/{id}/open'),
    authorizationState: oneOf(
      called('authorization:Connected', 'Connected'),
      called('authorization:FailedAuthorization', 'Authorization failed'),
      called('authorization:Error', 'Error'),
    ),
    'authorize?': object(
      { href: uri, title: constant('Authorize') },
      'Where a browser starts to connect the user; shown with the state FailedAuthorization.',
    ),
    projectStorages: object({
      href: { type: 'string', pattern: '^/api/v3/project_storages\\?filters=' },
    }),
    ...adminOnly,
  });
  const shapes = Object.values(storageTypes).map(
    ({ names: { [profile.name]: name }, hasOrigin, members }) => ({
      members: {
        ...(hasOrigin && { storageAudience: nullable, hasApplicationPassword: flag }),
        ...Object.fromEntries(Object.keys(members).map((member) => [member, nullable])),
      },
      links: {
        type: called(name, name),
        ...(hasOrigin && {
          authenticationMethod: oneOf(
            object({ href: urnOf('authenticationMethod:TwoWayOAuth2') }),
            object({ href: urnOf('authenticationMethod:OAuth2SSO') }),
          ),
          origin: object({ href: uri }),
        }),
      },
    }),
  );

  const common = {
    _type: constant('Storage'),
    id,
    name: text,
    configured: flag,
    createdAt: time,
    updatedAt: time,
  };
  const ofUser = (members: { [name: string]: Schema }, own: { [name: string]: Schema }) =>
    object({ ...common, ...members, _links: object({ ...own, ...links({}) }) });
  const ofAdmin = (
    members: { [name: string]: Schema },
    own: { [name: string]: Schema },
    applicationSchema: string,
  ) => [
    object({
      ...common,
      ...members,
      _embedded: object({ oauthApplication: ref(applicationSchema) }),
      _links: object({
        ...own,
        ...links({
          oauthApplication: titled('/oauth_applications/{id}'),
          oauthClientCredentials: object({ href: { type: 'null' } }),
        }),
      }),
    }),
    object({
      ...common,
      ...members,
      _embedded: object({
        oauthApplication: ref(applicationSchema),
        oauthClientCredentials: ref('OAuthClientCredentials'),
      }),
      _links: object({
        ...own,
        ...links({
          oauthApplication: titled('/oauth_applications/{id}'),
          oauthClientCredentials: link('/oauth_client_credentials/{id}'),
        }),
      }),
    }),
  ];

  const fileLink = (
    embedded: { [name: string]: Schema },
    own: { [name: string]: Schema },
    self: string,
  ) =>
    object({
      _type: constant('FileLink'),
      id,
      createdAt: time,
      updatedAt: time,
      originData: ref('OriginData'),
      _embedded: object(embedded),
      _links: object({
        self: titled(self),
        storage: titled('/storages/{id}'),
        ...own,
        creator: titled('/users/{id}'),
        'delete?': action(self, 'delete'),
        status: oneOf(
          ...(
            [
              ['permission:ViewAllowed', 'View allowed'],
              ['permission:ViewNotAllowed', 'View not allowed'],
              ['NotFound', 'Not found'],
              ['Error', 'Error'],
            ] as const
          ).map(([name, called]) =>
            object({ href: constant(urn(profile, `file-links:${name}`)), title: constant(called) }),
          ),
        ),
        'originOpen?': object(
          { href: uri },
          'Where a browser opens the file; absent where only the storage knows it and was not asked, or did not say.',
        ),
        staticOriginOpen: link('/file_links/{id}/open'),
        'originOpenLocation?': object(
          { href: uri },
          'Where a browser opens the folder that the file is in.',
        ),
        staticOriginOpenLocation: link('/file_links/{id}/open\\?location=true'),
        staticOriginDownload: link('/file_links/{id}/download'),
      }),
    });
  const storageFile = object(
    {
      _type: constant('StorageFile'),
      ...originData,
      location: { type: 'string', pattern: '^/', description: 'Path below the root, not encoded.' },
      permissions: array({ type: 'string', enum: ['readable', 'writeable'] }),
      _links: object({ self: object({ href: urnOf('storage_file:no_link_provided') }) }),
    },
    'A file or folder as its storage tells it now (interface 2.9).',
  );

  return {
    Storage: {
      description:
        'An external file service (interface 2.8). Its OAuth records are shown to administrators only.',
      ...oneOf(
        ...shapes.flatMap(({ members, links: own }) => [
          ofUser(members, own),
          ...ofAdmin(members, own, 'OAuthApplication'),
        ]),
      ),
    },
    NewStorage: {
      description:
        'A storage that was just made. The secret of its OAuth application is shown this once (interface 4.5).',
      ...oneOf(
        ...shapes.map(
          ({ members, links: own }) => ofAdmin(members, own, 'NewOAuthApplication')[0]!,
        ),
      ),
    },
    StorageCollection: object(
      {
        _type: constant('Collection'),
        total: count,
        count,
        pageSize: count,
        offset: { type: 'integer', minimum: 1 },
        _embedded: object({ elements: array(ref('Storage')) }),
        _links: pageLinks('/storages'),
      },
      'A page of storages, newest first (interface 2.1).',
    ),
    OAuthApplication: object(
      { ...application, _links: applicationLinks },
      "A client of this service's authorization server (interface 2.8).",
    ),
    NewOAuthApplication: object(
      { ...application, clientSecret: text, _links: applicationLinks },
      'The same with its secret.',
    ),
    OAuthClientCredentials: object(
      {
        _type: constant('OAuthClientCredentials'),
        id,
        clientId: text,
        confidential: flag,
        createdAt: time,
        updatedAt: time,
        _links: object({
          self: link('/oauth_client_credentials/{id}'),
          integration: titled('/storages/{id}'),
        }),
      },
      'What this service presents to a storage, without the secret (interface 2.8).',
    ),
    OriginData: object(
      originData,
      'What a storage says about a file (interface 2.6). Unknown is null.',
    ),
    FileLink: {
      description:
        'A link from a work package to a file in a storage, with what the storage says now (interface 2.5).',
      ...oneOf(
        fileLink(
          { storage: ref('Storage'), container: ref('EmbeddedWorkPackage') },
          { container: titled('/work_packages/{id}') },
          profile.scopedFileLinks ? '/work_packages/{id}/file_links/{id}' : '/file_links/{id}',
        ),
        fileLink(
          { storage: ref('Storage') },
          { container: object({ href: { type: 'null' } }) },
          '/file_links/{id}',
        ),
      ),
    },
    FileLinkCollection: object(
      {
        _type: constant('Collection'),
        total: count,
        count,
        pageSize: count,
        offset: { type: 'integer', minimum: 1 },
        _embedded: object({ elements: array(ref('FileLink')) }),
        _links: pageLinks('/work_packages/[1-9]\\d*/file_links'),
      },
      'A page of file links of a work package (interface 2.1).',
    ),
    NewFileLinks: object(
      {
        _type: constant('Collection'),
        total: count,
        count,
        pageSize: count,
        offset: { type: 'integer', minimum: 1 },
        _embedded: object({ elements: array(ref('FileLink')) }),
        _links: pageLinks(
          '/work_packages/[1-9]\\d*/file_links',
          link('/work_packages/{id}/file_links'),
        ),
      },
      'The file links that a request made, or found, in a work package.',
    ),
    UnclaimedFileLinks: object(
      {
        _type: constant('Collection'),
        total: count,
        count,
        _embedded: object({ elements: array(ref('FileLink')) }),
        _links: object({
          self: object({ href: constant(urn(profile, 'file_links:no_link_provided')) }),
        }),
      },
      'File links that belong to nothing yet.',
    ),
    StorageFile: storageFile,
    StorageFiles: object(
      {
        _type: constant('StorageFiles'),
        files: array(ref('StorageFile')),
        parent: ref('StorageFile'),
        ancestors: array(ref('StorageFile')),
        _links: object({ self: object({ href: urnOf('storage_file:no_link_provided') }) }),
      },
      'A folder of a storage with what is in it (interface 2.9).',
    ),
    UploadLink: object(
      {
        _type: constant('UploadLink'),
        _links: object({
          self: object({ href: urnOf('upload_link:no_link_provided') }),
          destination: object({
            href: uri,
            method: { type: 'string', enum: ['post', 'put'] },
            title,
          }),
        }),
      },
      'Where a client sends a file to a storage (interface 2.9).',
    ),
    ProjectStorage: object(
      {
        _type: constant('ProjectStorage'),
        id,
        createdAt: time,
        updatedAt: time,
        projectFolderMode: { type: 'string', enum: ['inactive', 'manual', 'automatic'] },
        _links: object({
          self: link('/project_storages/{id}'),
          'projectFolder?': object({
            href: { type: 'string', pattern: '^/api/v3/storages/[1-9]\\d*/files/.+$' },
          }),
          open: link('/project_storages/{id}/open'),
          openWithConnectionEnsured: object({
            href: {
              type: ['string', 'null'],
              pattern:
                '^/oauth_clients/[^/]+/ensure_connection\\?destination_url=[^&]+&storage_id=[1-9]\\d*$',
              description: 'Null while no client credentials are set.',
            },
          }),
          storage: titled('/storages/{id}'),
          project: titled('/projects/{id}'),
          creator: titled('/users/{id}'),
        }),
      },
      'A storage as a project uses it.',
    ),
    ProjectStorageCollection: object(
      {
        _type: constant('Collection'),
        total: count,
        count,
        _embedded: object({ elements: array(ref('ProjectStorage')) }),
        _links: object({
          self: object({
            href: { type: 'string', pattern: '^/api/v3/project_storages(\\?filters=.*)?$' },
          }),
        }),
      },
      'The storages of projects, newest first, unpaginated.',
    ),
  };
}
