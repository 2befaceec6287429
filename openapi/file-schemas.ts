/** Schemas of file links and of the files of storages. */
import type { Profile } from '../src/contract/profiles.js';
import * as documents from '../src/rest/generated/documents.js';
import { storageUrn, urn } from '../src/rest/represent/urns.js';
import { collectionMembers, pageMembers } from './collections.js';
import { absentForNull, membersOf } from './derive.js';
import { links, type Links } from './links.js';
import {
  action,
  described,
  embedded,
  link,
  linkTo,
  urnLink,
  methodMember,
  namedUrnLink,
  nullLink,
  object,
  oneOf,
  ref,
  targetTitle,
  titled,
  uri,
  type Members,
  type Schema,
} from './shapes.js';

const storage = ref('Storage', 'The storage.');

function fileLink(profile: Profile, self: string, container: Schema, inside: Members): Schema {
  const state = (name: string, called: string) =>
    namedUrnLink(urn(profile, `file-links:${name}`), called);
  return object({
    ...membersOf(documents.FileLinkMembersFragmentDoc),
    _embedded: embedded({ storage, ...inside }),
    _links: links({
      self: titled(self),
      storage: titled('/storages/{id}'),
      container: described(
        'The work package. Without a target while the link is unclaimed.',
        container,
      ),
      creator: titled('/users/{id}'),
      'delete?': action(self, 'delete'),
      status: oneOf(
        state('permission:ViewAllowed', 'View allowed'),
        state('permission:ViewNotAllowed', 'View not allowed'),
        state('NotFound', 'Not found'),
        state('Error', 'Error'),
      ),
      'originOpen?': linkTo(uri),
      staticOriginOpen: link('/file_links/{id}/open'),
      'originOpenLocation?': linkTo(uri),
      staticOriginOpenLocation: link('/file_links/{id}/open\\?location=true'),
      staticOriginDownload: link('/file_links/{id}/download'),
    }),
  });
}

/** How unknown values are described: as null, or as absent. */
const unknownIn =
  ({ omitsUnknown }: Profile) =>
  (members: Members): Members =>
    omitsUnknown ? absentForNull(members) : members;

function fileLinks(profile: Profile): Members {
  const unclaimedPath = '/file_links/{id}';
  const claimedPath = profile.scopedFileLinks
    ? '/work_packages/{id}/file_links/{id}'
    : unclaimedPath;
  const unknown = unknownIn(profile);
  const listPath = '/work_packages/[1-9]\\d*/file_links';
  return {
    OriginData: object(
      unknown(membersOf(documents.OriginDataMembersFragmentDoc)),
      `The data of a file in its storage. Unknown values are ${profile.omitsUnknown ? 'left out' : 'null'}.`,
    ),
    FileLink: {
      description:
        'A link from a work package to a file in a storage, with what the storage says now.',
      ...oneOf(
        fileLink(profile, claimedPath, titled('/work_packages/{id}'), {
          container: ref('EmbeddedWorkPackage'),
        }),
        fileLink(profile, unclaimedPath, nullLink, {}),
      ),
    },
    FileLinkCollection: object(
      pageMembers('FileLink', listPath),
      'A page of file links of a work package.',
    ),
    NewFileLinks: object(
      pageMembers('FileLink', listPath, link('/work_packages/{id}/file_links')),
      'The file links that a request created, or found, in a work package.',
    ),
    UnclaimedFileLinks: object(
      {
        ...collectionMembers('FileLink'),
        _links: links({ self: noLink(urn(profile, 'file_links:no_link_provided')) }),
      },
      'File links without a work package.',
    ),
  };
}

/** The link `self` of a document without an address: a URN. */
const noLink = (urnOfNothing: string): Schema =>
  described('This document has no address of its own.', urnLink(urnOfNothing));

function storageFiles(profile: Profile): Members {
  const unknown = unknownIn(profile);
  const self: Links = { self: noLink(storageUrn(profile, 'storage_file:no_link_provided')) };
  return {
    StorageFile: object(
      {
        ...unknown(
          membersOf(documents.StorageFileMembersFragmentDoc, {
            // Every path starts at the root.
            location: {
              pattern: '^/',
              ...(profile.encodesLocations && {
                description:
                  'Path from the root of the storage; `/` for the root. ' +
                  'Each segment is percent-encoded.',
              }),
            },
          }),
        ),
        _links: links(self),
      },
      'A file or folder as its storage describes it now.',
    ),
    StorageFiles: object(
      { ...membersOf(documents.StorageFilesMembersFragmentDoc), _links: links(self) },
      'A folder of a storage, with its files.',
    ),
    UploadLink: object(
      {
        ...membersOf(documents.UploadLinkMembersFragmentDoc),
        _links: links({
          self: noLink(storageUrn(profile, 'upload_link:no_link_provided')),
          destination: linkTo(uri, {
            method: methodMember({ type: 'string', enum: ['post', 'put'] }),
            title: targetTitle,
          }),
        }),
      },
      'Where a client sends a file to a storage.',
    ),
  };
}

export const fileSchemas = (profile: Profile): Members => ({
  ...fileLinks(profile),
  ...storageFiles(profile),
});
