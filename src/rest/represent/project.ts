/** Projects as HAL documents. */
import type { Profile } from '../../contract/profiles.js';
import type { ProjectHalFragment } from '../generated/documents.js';
import { projectMembers } from '../generated/members.js';
import { paths } from './paths.js';
import { urn } from './urns.js';

interface Details {
  viewerCanViewFileLinks: boolean;
  viewerCanViewMembers: boolean;
  storages: { id: number; name: string }[];
}

/** @param more what only the document of one project has */
export function representProject(profile: Profile, project: ProjectHalFragment, more?: Details) {
  const { id, name, viewerCanCreateWorkPackage, viewerCanViewWorkPackages } = project;
  return {
    ...projectMembers(project),
    _links: {
      self: { href: paths.project(id), title: name },
      categories: { href: paths.projectCategories(id) },
      ...(viewerCanCreateWorkPackage && {
        createWorkPackage: { href: paths.projectWorkPackageForm(id), method: 'post' },
        createWorkPackageImmediately: { href: paths.projectWorkPackages(id), method: 'post' },
      }),
      ...(viewerCanViewWorkPackages && {
        workPackages: { href: paths.projectWorkPackages(id) },
        types: { href: paths.projectTypes(id) },
      }),
      parent: parentOf(profile, project),
      ...(more?.viewerCanViewMembers && { memberships: { href: paths.membershipsIn(id) } }),
      ...(more?.viewerCanViewFileLinks && {
        storages: more.storages.map((storage) => ({
          href: paths.storage(storage.id),
          title: storage.name,
        })),
        projectStorages: { href: paths.projectStoragesIn(id) },
      }),
    },
  };
}

/** A parent that the client does not see has an address that names nothing. */
function parentOf(profile: Profile, { parent, hasHiddenParent }: ProjectHalFragment) {
  if (parent) return { href: paths.project(parent.id), title: parent.name };
  return hasHiddenParent
    ? {
        href: urn(profile, 'undisclosed'),
        title: 'Undisclosed - The parent is invisible because of lacking permissions.',
      }
    : { href: null };
}
