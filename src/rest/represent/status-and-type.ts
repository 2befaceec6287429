/** Statuses and types as HAL documents. */
import type { StatusMembersFragment, TypeMembersFragment } from '../generated/documents.js';
import { paths } from './paths.js';

export const representType = (type: TypeMembersFragment) => ({
  ...type,
  isMilestone: false,
  _links: { self: { href: paths.type(type.id), title: type.name } },
});

export const representStatus = (status: StatusMembersFragment) => ({
  ...status,
  isReadonly: false,
  excludedFromTotals: false,
  defaultDoneRatio: null,
  _links: { self: { href: paths.status(status.id), title: status.name } },
});
