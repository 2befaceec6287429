/** File links, and the files of storages, as HAL documents. */
import type { Profile } from '../../contract/profiles.js';
import type {
  ContainerHalFragment,
  FileLinkHalFragment,
  FileLinkOwnHalFragment,
  StorageFileMembersFragment,
  StorageHalFragment,
} from '../generated/documents.js';
import { fileLinkMembers, storageFileMembers } from '../generated/members.js';
import { known } from './known.js';
import { paths } from './paths.js';
import { storageUrn, urn } from './urns.js';
import { linkToContainer, representContainer } from './container.js';
import { representStorage } from './storage.js';

const statuses: {
  readonly [status in FileLinkHalFragment['status']]: { name: string; title: string };
} = {
  VIEW_ALLOWED: { name: 'permission:ViewAllowed', title: 'View allowed' },
  VIEW_NOT_ALLOWED: { name: 'permission:ViewNotAllowed', title: 'View not allowed' },
  NOT_FOUND: { name: 'NotFound', title: 'Not found' },
  ERROR: { name: 'Error', title: 'Error' },
};

export const representFileLink = (
  profile: Profile,
  { storage, container, ...own }: FileLinkHalFragment,
) =>
  represent(
    profile,
    own,
    { storage, body: representStorage(profile, storage) },
    container && { container, body: representContainer(container) },
  );

/** The links of one work package. It and each storage are represented once for all of them. */
export function representFileLinks(
  profile: Profile,
  {
    fileLinks: { nodes, storages },
    ...workPackage
  }: ContainerHalFragment & {
    fileLinks: { nodes: readonly LinkOfList[]; storages: readonly StorageHalFragment[] };
  },
) {
  const container = { container: workPackage, body: representContainer(workPackage) };
  const byId = new Map(
    storages.map((storage) => [storage.id, { storage, body: representStorage(profile, storage) }]),
  );
  return nodes.map(({ storage: { id }, ...own }) => {
    const storage = byId.get(id);
    if (!storage) throw new Error(`The list of storages lacks ${id}, which a file link names.`);
    return represent(profile, own, storage, container);
  });
}

type LinkOfList = FileLinkOwnHalFragment & { storage: { id: number } };
interface OfStorage {
  storage: StorageHalFragment;
  body: ReturnType<typeof representStorage>;
}
interface OfContainer {
  container: ContainerHalFragment;
  body: ReturnType<typeof representContainer>;
}

function represent(
  profile: Profile,
  link: FileLinkOwnHalFragment,
  { storage, body: storageBody }: OfStorage,
  within: OfContainer | null,
) {
  const { id, originData, status, originOpenUrl, originOpenLocationUrl, viewerCanDelete, creator } =
    link;
  const container = within?.container;
  const self =
    container && profile.scopedFileLinks
      ? paths.workPackageFileLink(container.id, id)
      : paths.fileLink(id);
  return {
    ...fileLinkMembers(link),
    originData: known(profile, originData),
    _embedded: { storage: storageBody, ...(within && { container: within.body }) },
    _links: {
      self: { href: self, title: originData.name },
      storage: { href: paths.storage(storage.id), title: storage.name },
      container: container ? linkToContainer(container) : { href: null },
      creator: { href: paths.user(creator.id), title: creator.name },
      ...(viewerCanDelete && { delete: { href: self, method: 'delete' } }),
      status: {
        href: urn(profile, `file-links:${statuses[status].name}`),
        title: statuses[status].title,
      },
      ...(originOpenUrl !== null && { originOpen: { href: originOpenUrl } }),
      staticOriginOpen: { href: paths.fileLinkOpen(id) },
      ...(originOpenLocationUrl !== null && {
        originOpenLocation: { href: originOpenLocationUrl },
      }),
      staticOriginOpenLocation: { href: `${paths.fileLinkOpen(id)}?location=true` },
      staticOriginDownload: { href: paths.fileLinkDownload(id) },
    },
  };
}

export const noFileLink = (profile: Profile): string =>
  storageUrn(profile, 'storage_file:no_link_provided');

export const representFile = (profile: Profile, file: StorageFileMembersFragment) => ({
  ...known(profile, storageFileMembers(file)),
  ...(profile.encodesLocations && {
    location: file.location.toWellFormed().split('/').map(encodeURIComponent).join('/'),
  }),
  _links: { self: { href: noFileLink(profile) } },
});
