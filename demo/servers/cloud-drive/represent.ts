/** How Graph shows items, drives and people. */
import { createHash } from 'node:crypto';
import type { Permission } from './access.js';
import { downloadUrl } from './download.js';
import { locationOf, sizeOf, stamp, type Item } from './items.js';
import type { Tenant, User } from './tenant.js';

const SITE = 'https://contoso.sharepoint.com/sites/team';
const LIBRARY = 'Documents';
const DRIVE_TYPE = 'documentLibrary';

/** @param created whether it is the answer to its creation, where the parent is described by other words */
export function driveItem(
  tenant: Tenant,
  item: Item,
  { created = false }: { created?: boolean } = {},
): { [name: string]: unknown } {
  return {
    ...(item.kind === 'file' && { '@microsoft.graph.downloadUrl': downloadUrl(tenant, item) }),
    createdDateTime: stamp(item.created),
    eTag: etagOf(item),
    id: item.id,
    lastModifiedDateTime: stamp(item.modified),
    name: item.name,
    webUrl: webUrl(item),
    ...(item.kind === 'file' && { cTag: `"c:{${item.guid.toUpperCase()}},${item.version}"` }),
    size: sizeOf(item),
    createdBy: identity(tenant, item.createdBy),
    lastModifiedBy: identity(tenant, item.modifiedBy),
    parentReference: parentReference(tenant, item, created),
    fileSystemInfo: {
      createdDateTime: item.clientCreated,
      lastModifiedDateTime: item.clientModified,
    },
    ...facet(item),
    ...(item.remote && { remoteItem: remoteItem(item, item.remote) }),
    ...(!item.parent && { root: {} }),
  };
}

/** Just the named properties, with the annotations that come along. */
export function selected(
  object: { [name: string]: unknown },
  names: string | null,
): { [name: string]: unknown } {
  if (names === null) return object;
  const wanted = new Set(names.split(','));
  return {
    ...(object['eTag'] !== undefined && { '@odata.etag': object['eTag'] }),
    ...Object.fromEntries(Object.entries(object).filter(([name]) => wanted.has(name))),
  };
}

export function drive(tenant: Tenant): { [name: string]: unknown } {
  const { root } = tenant.items;
  const used = sizeOf(root);
  const total = Number.isFinite(tenant.quota) ? tenant.quota : 27_487_790_694_400;
  return {
    createdDateTime: stamp(root.created),
    description: '',
    id: tenant.driveId,
    lastModifiedDateTime: stamp(root.modified),
    name: LIBRARY,
    webUrl: webUrl(root),
    driveType: DRIVE_TYPE,
    createdBy: identity(tenant, undefined),
    owner: { user: { displayName: 'System Account' } },
    quota: { deleted: 0, remaining: Math.max(0, total - used), state: 'normal', total, used },
  };
}

export function person({ id, displayName, email }: User): { [name: string]: unknown } {
  const [givenName, ...surname] = displayName.split(' ');
  return {
    businessPhones: [],
    displayName,
    givenName,
    jobTitle: null,
    mail: email,
    mobilePhone: null,
    officeLocation: null,
    preferredLanguage: null,
    surname: surname.join(' '),
    userPrincipalName: email,
    id,
  };
}

/** Who may do what; `inheritedFrom` is an empty object on SharePoint. */
export function shownPermission(
  tenant: Tenant,
  item: Item,
  { id, user, roles, inherited, link }: Permission,
): { [name: string]: unknown } {
  const person = user === undefined ? undefined : tenant.users.get(user);
  const identity = person && {
    user: { id: person.id, displayName: person.displayName, email: person.email },
  };
  return {
    id,
    roles,
    ...(link
      ? {
          link: {
            scope: identity ? 'users' : 'organization',
            type: roles.includes('write') ? 'edit' : 'view',
            webUrl: webUrl(item),
          },
          grantedToIdentitiesV2: identity ? [identity] : [],
        }
      : identity && { grantedToV2: identity }),
    ...(inherited && { inheritedFrom: {} }),
  };
}

export const etagOf = ({ guid, version }: Item) => `"{${guid.toUpperCase()}},${version}"`;

/** The value of `@odata.context` for what is below the drive, e.g. `/items/$entity`. */
export const context = (tenant: Tenant, what: string) =>
  `${tenant.apiUrl}/$metadata#drives('${tenant.driveId.replaceAll('!', '%21')}')${what}`;

const webUrl = (item: Item) =>
  `${SITE}/Shared%20Documents${locationOf(item).split('/').map(encodeURIComponent).join('/')}`;

function identity(tenant: Tenant, userId: string | undefined): object {
  const user = userId === undefined ? undefined : tenant.users.get(userId);
  if (user) return { user: { email: user.email, id: user.id, displayName: user.displayName } };
  return {
    application: { id: tenant.client.id, displayName: 'Files' },
    user: { displayName: 'SharePoint App' },
  };
}

function parentReference(tenant: Tenant, { parent, guid }: Item, created: boolean): object {
  const where = { driveType: DRIVE_TYPE, driveId: tenant.driveId };
  if (!parent) return where;
  const reference = {
    ...where,
    id: parent.id,
    path: `/drives/${tenant.driveId}/root:${locationOf(parent)}`,
  };
  if (!created)
    return {
      ...reference,
      name: parent.parent ? parent.name : LIBRARY,
      siteId: tenant.siteId.split(',')[1],
    };
  return {
    ...reference,
    sharepointIds: {
      listItemUniqueId: guid,
      siteId: tenant.siteId.split(',')[1],
      siteUrl: SITE,
      tenantId: tenant.tenantId,
    },
  };
}

function facet(item: Item): object {
  // 20 bytes, as the real algorithm gives, but not the same.
  if (item.kind === 'file')
    return {
      file: {
        mimeType: item.mimeType,
        hashes: { quickXorHash: createHash('sha1').update(item.content).digest('base64') },
      },
    };
  return item.kind === 'package'
    ? { package: { type: 'oneNote' } }
    : { folder: { childCount: item.children.size } };
}

const remoteItem = (item: Item, { id, driveId }: { id: string; driveId: string }) => ({
  id,
  name: item.name,
  size: 4096,
  webUrl: `https://contoso.sharepoint.com/sites/other/Shared%20Documents/${encodeURIComponent(item.name)}`,
  folder: { childCount: 3 },
  fileSystemInfo: {
    createdDateTime: item.clientCreated,
    lastModifiedDateTime: item.clientModified,
  },
  parentReference: {
    driveType: DRIVE_TYPE,
    driveId,
    id: `01${id.slice(3)}A`,
    path: `/drives/${driveId}/root:`,
  },
});
