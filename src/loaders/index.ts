/** Makes the loaders of a request, each at its first use. */
import type { LoaderNeeds } from './needs.js';
import {
  containerLoader,
  projectLoader,
  statusLoader,
  typeLoader,
  userLoader,
  visibleProjectLoader,
} from './rows-by-id.js';
import {
  credentialsLoader,
  oauthApplicationLoader,
  storageTokenLoader,
  storageLoader,
  storagesOfProjectLoader,
  uploadProjectsLoader,
} from './storage.js';
import { addedFilesLoader } from './added-files.js';
import { resumableUploadLoader } from './resumable-uploads.js';
import { storageUsageLoader } from './storage-usage.js';
import { projectTypesLoader } from './project-types.js';
import { membershipRolesLoader } from './membership-roles.js';
import { rolePermissionsLoader } from './role-permissions.js';

const makers = {
  users: userLoader,
  projects: projectLoader,
  visibleProjects: visibleProjectLoader,
  statuses: statusLoader,
  types: typeLoader,
  resumableUploads: resumableUploadLoader,
  addedFiles: addedFilesLoader,
  membershipRoles: membershipRolesLoader,
  rolePermissions: rolePermissionsLoader,
  projectTypes: projectTypesLoader,
  containers: containerLoader,
  storages: storageLoader,
  oauthApplications: oauthApplicationLoader,
  clientCredentials: credentialsLoader,
  storageTokens: storageTokenLoader,
  uploadProjects: uploadProjectsLoader,
  storagesOfProject: storagesOfProjectLoader,
  storageUsage: storageUsageLoader,
};
type Makers = typeof makers;
export type Loaders = { readonly [name in keyof Makers]: ReturnType<Makers[name]> };

/** Getters of the prototype: own ones would be defined anew for each request. */
class RequestLoaders {
  readonly made: Partial<Record<keyof Makers, unknown>> = {};

  constructor(readonly needs: LoaderNeeds) {}
}
for (const [name, make] of Object.entries(makers) as [keyof Makers, Makers[keyof Makers]][]) {
  Object.defineProperty(RequestLoaders.prototype, name, {
    get(this: RequestLoaders) {
      return (this.made[name] ??= make(this.needs));
    },
  });
}

// Cast: the compiler cannot see the getters.
export const makeLoaders = (needs: LoaderNeeds): Loaders =>
  new RequestLoaders(needs) as unknown as Loaders;
