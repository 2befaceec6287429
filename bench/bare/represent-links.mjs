/** The response bodies for file links, written as object literals. */
import { base, nameOf, workPackage } from './represent.mjs';

const urn = (text) => `urn:service-org:api:v3:${text}`;
const instant = (seconds) => new Date(seconds * 1000).toISOString();

/** What the file server says, as the interface names it. */
const originOf = (file) => ({
  id: String(file.id),
  name: file.name,
  mimeType: file.mimetype,
  size: file.size,
  createdAt: instant(file.ctime),
  lastModifiedAt: instant(file.mtime),
  createdByName: file.owner_name,
  lastModifiedByName: file.modifier_name,
});

function storageBody(row, uploadProjects) {
  const self = `${base}/storages/${row.id}`;
  const filter = JSON.stringify([{ storageId: { operator: '=', values: [String(row.id)] } }]);
  return {
    _type: 'Storage',
    id: row.id,
    name: row.name,
    storageAudience: row.storage_audience,
    hasApplicationPassword: row.application_password !== null,
    configured: row.configured,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    _links: {
      self: { href: self, title: row.name },
      type: { href: urn(`storages:${row.type}`), title: row.type },
      authenticationMethod: {
        href: urn(`storages:authenticationMethod:${row.authentication_method}`),
      },
      origin: { href: row.origin },
      prepareUpload: uploadProjects.map(({ id }) => ({
        href: `${self}/files/prepare_upload`,
        method: 'post',
        title: 'Upload file',
        payload: { projectId: id, fileName: '{fileName}', parent: '{parent}' },
        templated: true,
      })),
      open: { href: `${self}/open` },
      authorizationState: {
        href: urn('storages:authorization:Connected'),
        title: 'Connected',
      },
      projectStorages: {
        href: `${base}/project_storages?filters=${encodeURIComponent(filter)}`,
      },
    },
  };
}

const openUrl = (storage, link, file) =>
  `${storage.origin}index.php/f/${link.origin_id}?openfile=${file ? 1 : 'false'}`;

/** One link with its storage and its work package. */
export function fileLink(link, file, { storage, uploadProjects, container, near, users, granted }) {
  const self = `${base}/work_packages/${container.id}/file_links/${link.id}`;
  const open = `${base}/file_links/${link.id}/open`;
  const creator = users.get(link.creator_id);
  const origin = originOf(file);
  const links = {
    self: { href: self, title: origin.name },
    storage: { href: `${base}/storages/${storage.id}`, title: storage.name },
    container: { href: `${base}/work_packages/${container.id}`, title: container.subject },
    creator: { href: `${base}/users/${creator.id}`, title: nameOf(creator) },
    status: { href: urn('file-links:permission:ViewAllowed'), title: 'View allowed' },
    originOpen: { href: openUrl(storage, link, true) },
    staticOriginOpen: { href: open },
    originOpenLocation: { href: openUrl(storage, link, false) },
    staticOriginOpenLocation: { href: `${open}?location=true` },
    staticOriginDownload: { href: `${base}/file_links/${link.id}/download` },
  };
  if (granted.has('manage_file_links')) links.delete = { href: self, method: 'delete' };
  return {
    _type: 'FileLink',
    id: link.id,
    createdAt: link.created_at,
    updatedAt: link.updated_at,
    originData: origin,
    _embedded: {
      storage: storageBody(storage, uploadProjects),
      container: workPackage(container, near, granted),
    },
    _links: links,
  };
}

/** The response to the GraphQL document of the links of a work package. */
export const graphqlLinks = (links, files, storages, users, granted) => ({
  data: {
    workPackage: {
      fileLinks: {
        totalCount: links.length,
        nodes: links.map((link) => {
          const storage = storages.get(link.storage_id);
          const creator = users.get(link.creator_id);
          return {
            databaseId: link.id,
            createdAt: link.created_at,
            updatedAt: link.updated_at,
            status: 'VIEW_ALLOWED',
            originOpenUrl: openUrl(storage, link, true),
            viewerCanDelete: granted.has('manage_file_links'),
            creator: { databaseId: creator.id, name: nameOf(creator) },
            storage: { databaseId: storage.id, name: storage.name },
            originData: originOf(files[link.origin_id]),
          };
        }),
      },
    },
  },
});
