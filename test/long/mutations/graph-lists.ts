/** Mutations of the lists of projects, storages, people and files. */
import type { Mutation } from './mutation.js';

export const graphListMutations: readonly Mutation[] = [
  {
    row: 'D2 oauthApplications',
    source: 'resolvers/oauth.ts',
    text: 'demandAdmin(context);',
    by: 'void demandAdmin;',
  },
  {
    row: 'D2 connections of a storage',
    source: 'policies/storage-scopes.ts',
    text: "all(sql('storage_tokens.user_id = ?', CALLER_ID), ofStorage('storage_tokens', kind))",
    by: "ofStorage('storage_tokens', kind)",
  },
  {
    row: 'D2 connections of the viewer',
    source: 'policies/storage-scopes.ts',
    text: ", ofStorage('storage_tokens', kind));",
    by: ');',
  },
  {
    row: 'D2 uses of a storage',
    source: 'resolvers/storage.ts',
    text: 'await projectStorageQuery(context, { storageIds: [id] });',
    by: 'await projectStorageQuery(context, id ? {} : {});',
  },
  {
    row: 'D2 recentAttachments',
    proof: 0,
    source: 'resolvers/viewer-files.ts',
    text: `.whereRaw("attachments.status <> 'prepared'")`,
    by: '',
  },
  {
    row: 'D2 pendingUploads',
    source: 'resolvers/viewer-files.ts',
    text: ".whereNull('attachments.lease_until')",
    by: '',
  },
  {
    row: 'D2 expiry of forms',
    source: 'contract/unclaimed-until.ts',
    text: 'uploadUrlSeconds * 1_000',
    by: '(uploadUrlSeconds + 60) * 1_000',
  },
  {
    row: 'D2 contents of projects',
    source: 'loaders/container-list.ts',
    text: "...(isVisible ? [] : [{ text: '1 = 0', values: [] }]),",
    by: "...(isVisible ? [] : [{ text: '1 = 1', values: [] }]),",
  },
  {
    row: 'D2 attachments of a container',
    source: 'loaders/attachment-and-activity-lists.ts',
    text: "type.endsWith('/') ? type : `${type}|`",
    by: 'type',
  },
  {
    row: 'D2 updateAttachment',
    source: 'actions/attachments/update-attachment.ts',
    text: 'if (row.descriptionText === descriptionText) return row;',
    by: '',
  },
  {
    row: 'D2 memberships',
    source: 'actions/lists/list-memberships.ts',
    text: 'if (keys?.length !== ids?.length)',
    by: 'if (keys === null)',
  },
  {
    row: 'D2 memberships left out',
    source: 'actions/lists/list-memberships.ts',
    text: 'text: `not ${text}`',
    by: 'text',
  },
  {
    row: 'D2 size of pages',
    source: 'resolvers/limited-lists.ts',
    text: 'size <= MAX_FIRST',
    by: 'size <= 10 * MAX_FIRST',
  },
  {
    row: 'D2 details of work packages',
    source: 'actions/containers/validate-details.ts',
    text: 'if (given === null) return valid({ [`${attribute}Id`]: null });',
    by: 'if (given === null) return valid();',
  },
  {
    row: 'D2 people of work packages',
    source: 'actions/containers/validate-details.ts',
    text: "member && user.status === 'active'",
    by: "member || user.status === 'active'",
  },
  {
    row: 'D2 work packages over REST',
    source: 'rest/request/work-package-query.ts',
    text: "if (profile.listsOpenWorkPackages && !req.query['filters'])",
    by: 'if (profile.listsOpenWorkPackages)',
  },
  {
    row: 'D2 nothing is ignored',
    source: 'rest/request/known-parameters.ts',
    text: 'if (!known.includes(name))',
    by: 'if (name === undefined)',
  },
  {
    row: 'D2 project by identifier',
    source: 'rest/request/locals.ts',
    text: 'parseDatabaseId(name) === undefined ? { identifier: name } : { id: name };',
    by: '({ id: name });',
  },
  {
    row: 'D2 links without a target',
    source: 'rest/request/body-members.ts',
    text: 'isTargetless(links) ||',
    by: '',
  },
  {
    row: "D2 screens of a file server's companion app",
    source: 'rest/represent/container.ts',
    text: 'title: person.name } : { href: null };',
    by: "title: 'Somebody' } : { href: null };",
    proof: 4,
  },
  {
    row: 'D2 roles',
    source: 'policies/visible.ts',
    text: "sql('roles.name <> ? and roles.name <> ?', NON_MEMBER, ANONYMOUS)",
    by: 'everything',
  },
];
