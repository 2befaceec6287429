/** File links (interface 2.5) and files of storages (interface 2.9). */
import type { Profile } from '../../profile.js';
import type { FileLinkHalFragment, StorageFileHalFragment } from '../documents.js';
import { paths } from '../paths.js';
import { storageUrn, urn } from '../urns.js';
import { representContainer } from './container.js';
import { representStorage } from './storage.js';

const statuses: { readonly [status in FileLinkHalFragment['status']]: { name: string; title: string } } = {
  ViewAllowed: { name: 'permission:ViewAllowed', title: 'View allowed' },
  ViewNotAllowed: { name: 'permission:ViewNotAllowed', title: 'View not allowed' },
  NotFound: { name: 'NotFound', title: 'Not found' },
  Error: { name: 'Error', title: 'Error' },
};

export function representFileLink(profile: Profile, { _type, id, createdAt, updatedAt, originData, status, originOpenUrl, originOpenLocationUrl, viewerCanDelete, creator, storage, container }: FileLinkHalFragment) {
  const self = container && profile.scopedFileLinks ? paths.workPackageFileLink(container.id, id) : paths.fileLink(id);
  return {
    _type, id, createdAt, updatedAt, originData,
    _embedded: { storage: representStorage(profile, storage), ...(container && { container: representContainer(container) }) },
    _links: {
      self: { href: self, title: originData.name },
      storage: { href: paths.storage(storage.id), title: storage.name },
      container: container ? { href: paths.container('WorkPackage', container.id), ...(container.title !== null && { title: container.title }) } : { href: null },
      creator: { href: paths.user(creator.id), title: creator.name },
      ...(viewerCanDelete && { delete: { href: self, method: 'delete' } }),
      status: { href: urn(profile, `file-links:${statuses[status].name}`), title: statuses[status].title },
      ...(originOpenUrl !== null && { originOpen: { href: originOpenUrl } }),
      staticOriginOpen: { href: paths.fileLinkOpen(id) },
      ...(originOpenLocationUrl !== null && { originOpenLocation: { href: originOpenLocationUrl } }),
      staticOriginOpenLocation: { href: `${paths.fileLinkOpen(id)}?location=true` },
      staticOriginDownload: { href: paths.fileLinkDownload(id) },
    },
  };
}

export const noFileLink = (profile: Profile): string => storageUrn(profile, 'storage_file:no_link_provided');

export const representFile = (profile: Profile, file: StorageFileHalFragment) => ({ ...file, _links: { self: { href: noFileLink(profile) } } });
