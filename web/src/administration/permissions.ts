/** What a role permits, in groups. */
import { containerPermissions } from '../../../src/contract/container-kinds.js';
import type { WordKey } from '../words';
import type { Permission } from './generated/documents';

/** The groups. A permission of a new kind of container that is not here is in the group of others. */
const groups: { readonly [permission in Permission]?: WordKey } = {
  VIEW_WORK_PACKAGES: 'roles.workPackages',
  ADD_WORK_PACKAGES: 'roles.workPackages',
  EDIT_WORK_PACKAGES: 'roles.workPackages',
  ADD_WORK_PACKAGE_COMMENTS: 'roles.workPackages',
  ADD_WORK_PACKAGE_ATTACHMENTS: 'roles.workPackages',
  VIEW_INTERNAL_COMMENTS: 'roles.workPackages',
  VIEW_MEETINGS: 'roles.others',
  EDIT_MEETINGS: 'roles.others',
  VIEW_MESSAGES: 'roles.others',
  EDIT_MESSAGES: 'roles.others',
  VIEW_WIKI_PAGES: 'roles.others',
  EDIT_WIKI_PAGES: 'roles.others',
  VIEW_FILE_LINKS: 'roles.linkedFiles',
  MANAGE_FILE_LINKS: 'roles.linkedFiles',
  MANAGE_FILES_IN_PROJECT: 'roles.linkedFiles',
  READ_FILES: 'roles.folder',
  WRITE_FILES: 'roles.folder',
  CREATE_FILES: 'roles.folder',
  DELETE_FILES: 'roles.folder',
  SHARE_FILES: 'roles.folder',
};

const all = [
  ...new Set([
    ...Object.keys(groups),
    ...containerPermissions.map((permission) => permission.toUpperCase()),
  ]),
] as Permission[];
const groupOf = (permission: Permission): WordKey => groups[permission] ?? 'roles.others';

export const permissionGroups = [...new Set(all.map(groupOf))].map((label) => ({
  label,
  permissions: all.filter((permission) => groupOf(permission) === label),
}));
