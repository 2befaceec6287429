/** The two dialects of the interface as a table of values (decisions 1). */
import { version } from './version.js';

export interface Profile {
  name: 'standard' | 'openproject';
  /** Vendor word of every URN on output. */
  urnWord: string;
  /** Status of add and create attachment (C1). */
  createdStatus: 200 | 201;
  /** Several violations in one 422 answer as `MultipleErrors` instead of the first one (C28). */
  multipleErrors: boolean;
  /** Failed requests to storages answer with identifiers of their own (C20). */
  outboundSiblings: boolean;
  /** An empty application password unsets it, instead of being refused (C38). */
  blankPasswordUnsets: boolean;
  /** Setting client credentials answers with them, instead of with their storage (C10). */
  answersCredentials: boolean;
  /** Self links of file links name the work package. */
  scopedFileLinks: boolean;
  /** Status of removing a file link (C8). */
  deletedFileLinkStatus: 200 | 204;
  /** Without the permission to view file links, a work package has none (C6). */
  hidesFileLinks: boolean;
  /** The first page of a work package's file links is as large as a page can be: a deployed client reads no other. */
  wholeFileLinks: boolean;
  /** What the root calls its version: deployed set-up scripts compare it, as a text, with the release that they need. */
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
    coreVersion: '16.0.0',
    digestAlgorithm: 'md5',
  },
};
