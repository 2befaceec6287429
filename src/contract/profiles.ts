/** The two dialects of the REST interface as a table of values. */
import { version } from './version.js';

export interface Profile {
  name: 'standard' | 'openproject';
  /** Vendor word of every URN in an answer. */
  urnWord: string;
  /** Status after an attachment is added or created. */
  createdStatus: 200 | 201;
  /** Whether a 422 with several violations lists all as `MultipleErrors`; else only the first. */
  multipleErrors: boolean;
  /** Whether failed requests to storages have several error identifiers. */
  outboundSiblings: boolean;
  /** Whether an empty application password removes the stored one; else it is an error. */
  blankPasswordUnsets: boolean;
  /** Whether setting client credentials returns the credentials; else it returns their storage. */
  answersCredentials: boolean;
  /** Whether self links of file links contain the work package. */
  scopedFileLinks: boolean;
  /** Status after a file link is removed. */
  deletedFileLinkStatus: 200 | 204;
  /** Whether a list of file links is empty without the view permission; else it is a 403. */
  hidesFileLinks: boolean;
  /**
   * Whether the first page of a work package's file links has the maximum size.
   * Deployed clients read only that page.
   */
  wholeFileLinks: boolean;
  /** Whether a work package's newest file links come first; else the oldest. */
  newestFileLinksFirst: boolean;
  /** Whether all storages are on one page. Deployed set-up scripts look for theirs by its name. */
  wholeStorages: boolean;
  /** Whether the root links to a user when the client has no credentials. */
  linksAnonymousUser: boolean;
  /** Whether the location of a storage's file is percent-encoded. */
  encodesLocations: boolean;
  /**
   * Whether members without a value are left out of files, of what links store about them, and of
   * the single sign-on of storages; else they are `null`.
   */
  omitsUnknown: boolean;
  /**
   * Whether only storages that receive authorization codes have an OAuth application; else every
   * storage has one.
   */
  onlyUsedApplications: boolean;
  /**
   * Whether only a user and administrators see the details of the account: login, parts of the name,
   * status, e-mail address; and only administrators `admin`. Else everybody who sees the user does.
   */
  hidesAccounts: boolean;
  /** Whether storages show the scope with which tokens are exchanged for them. */
  showsExchangeScope: boolean;
  /** Whether every invalid filter has the same message. */
  sameFilterMessage: boolean;
  /** `_type` of a list of work packages. */
  workPackageCollection: 'Collection' | 'WorkPackageCollection';
  /** Whether a list of work packages without filters has only open ones. */
  listsOpenWorkPackages: boolean;
  /**
   * Whether attaching a file requires the permission to prepare an upload there. The two differ for
   * comments only.
   */
  attachesAsPrepares: boolean;
  /**
   * Whether the files of a storage answer 401 to a caller without a token that the storage accepts;
   * else a failed outbound request.
   */
  unauthenticatedWithoutToken: boolean;
  /** Whether a missing part of an upload is a blank file (422); else the body is invalid (400). */
  missingPartIsBlankFile: boolean;
  /**
   * Whether an absent member makes the body of a new folder, or of an upload to a storage, invalid
   * (400); else the member is blank (422).
   */
  refusesAbsentMembers: boolean;
  /** Whether a file link can be deleted without the permission to view file links. */
  deletesUnseenFileLinks: boolean;
  /**
   * Whether a file link without a work package requires the permissions to view file links; else
   * the permission to manage them.
   */
  viewersLinkUnclaimed: boolean;
  /**
   * `coreVersion` of the root document.
   * Deployed set-up scripts compare it, as text, with the release that they need.
   */
  coreVersion: string;
  /** Default of `DIGEST_ALGORITHM`. */
  digestAlgorithm: 'sha256' | 'md5';
}

export const profiles: Record<Profile['name'], Profile> = {
  standard: {
    name: 'standard',
    urnWord: 'service-org',
    createdStatus: 200,
    multipleErrors: false,
    outboundSiblings: false,
    blankPasswordUnsets: false,
    answersCredentials: false,
    scopedFileLinks: true,
    deletedFileLinkStatus: 200,
    hidesFileLinks: false,
    wholeFileLinks: false,
    newestFileLinksFirst: false,
    wholeStorages: false,
    linksAnonymousUser: true,
    encodesLocations: false,
    omitsUnknown: false,
    hidesAccounts: false,
    showsExchangeScope: false,
    onlyUsedApplications: false,
    sameFilterMessage: false,
    workPackageCollection: 'Collection',
    listsOpenWorkPackages: false,
    attachesAsPrepares: false,
    unauthenticatedWithoutToken: false,
    missingPartIsBlankFile: false,
    refusesAbsentMembers: false,
    deletesUnseenFileLinks: false,
    viewersLinkUnclaimed: false,
    coreVersion: version,
    digestAlgorithm: 'sha256',
  },
  openproject: {
    name: 'openproject',
    urnWord: 'openproject-org',
    createdStatus: 201,
    multipleErrors: true,
    outboundSiblings: true,
    blankPasswordUnsets: true,
    answersCredentials: true,
    scopedFileLinks: false,
    deletedFileLinkStatus: 204,
    hidesFileLinks: true,
    wholeFileLinks: true,
    newestFileLinksFirst: true,
    wholeStorages: true,
    linksAnonymousUser: false,
    encodesLocations: true,
    omitsUnknown: true,
    hidesAccounts: true,
    showsExchangeScope: true,
    onlyUsedApplications: true,
    sameFilterMessage: true,
    workPackageCollection: 'WorkPackageCollection',
    listsOpenWorkPackages: true,
    attachesAsPrepares: true,
    unauthenticatedWithoutToken: true,
    missingPartIsBlankFile: true,
    refusesAbsentMembers: true,
    deletesUnseenFileLinks: true,
    viewersLinkUnclaimed: true,
    coreVersion: '16.0.0',
    digestAlgorithm: 'md5',
  },
};
