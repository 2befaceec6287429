/** The requests of each workload. */
import type { Request } from './load.js';
import { metadataOf } from '../test/support/tus.js';
import type { SubjectName } from './programs.js';
import { seeded } from './seed.js';
import { seededLinks } from './seed-links.js';

export type WorkloadName = 'W1' | 'W1+' | 'W2' | 'W3' | 'W4' | 'W4T' | 'W1L' | 'W3L' | 'WS';

export interface Workload {
  name: WorkloadName;
  title: string;
  connections: number;
  /** The requests to each program that takes part. */
  requests: { [subject in SubjectName]?: Request[] };
}

/** W3: a work package with all its attachments. */
export const attachmentsDocument = `query Attachments($id: ID!) {
  workPackage(id: $id) {
    attachments(first: 100) {
      totalCount
      nodes { databaseId fileName fileSize contentType status createdAt digest { hash } author { databaseId name } viewerCanDelete }
    }
  }
}`;

/** W3 for file links: a work package with all its links, as their storage reports the files. */
const linksDocument = `query Links($id: ID!) {
  workPackage(id: $id) {
    fileLinks(first: 100) {
      totalCount
      nodes {
        databaseId createdAt updatedAt status originOpenUrl viewerCanDelete creator { databaseId name } storage { databaseId name }
        originData { id name mimeType size createdAt lastModifiedAt createdByName lastModifiedByName }
      }
    }
  }
}`;

/** WS: the first page of the work packages with a word. */
const searchDocument = `query Search($search: String) {
  workPackages(filter: { search: $search }) { nodes { databaseId subject } pageInfo { hasNextPage } }
}`;

const ATTACHMENT =
  'rowId fileName fileSize descriptionText contentType status digestAlgorithm digestHash createdAt';
const USER = 'rowId login firstName lastName email admin status createdAt updatedAt';

/** The row of an attachment, without the rows that the HAL response embeds. */
const peerAttachment = `query Attachment($id: Int!) { attachmentByRowId(rowId: $id) { ${ATTACHMENT} } }`;
/** The attachment with the rows that the HAL response embeds. */
const peerWholeAttachment = `query Attachment($id: Int!) {
  attachmentByRowId(rowId: $id) {
    ${ATTACHMENT}
    userByAuthorId { ${USER} }
    workPackageByWorkPackageId {
      rowId subject lockVersion createdAt updatedAt
      projectByProjectId { rowId name }
      userByAuthorId { rowId firstName lastName }
    }
  }
}`;
const peerAttachments = `query Attachments($id: Int!) {
  workPackageByRowId(rowId: $id) {
    attachmentsByWorkPackageId {
      totalCount
      nodes { rowId fileName fileSize contentType status createdAt digestHash userByAuthorId { rowId firstName lastName } }
    }
  }
}`;

/** Visits all elements of a list in another order. */
const scattered = <T>(list: readonly T[]): T[] => list.map((_, n) => list[(n * 37) % list.length]!);

const attachments = scattered(seeded.attachments);
const workPackages = scattered(seeded.workPackages);

const get = (path: string): Request => ({ method: 'GET', path });
const query = (document: string, id: number | string): Request => graphql(document, { id });
const graphql = (document: string, variables: object): Request => ({
  method: 'POST',
  path: '/graphql',
  json: { query: document, variables },
});
const nodeId = (id: number) => Buffer.from(`WorkPackage:${id}`).toString('base64url');
/** The same requests to the server and to the bare program. */
const both = (requests: Request[]) => ({ ours: requests, bare: requests });

const oneAttachment = attachments.map((id) => get(`/api/v3/attachments/${id}`));

export const requestWorkloads: Workload[] = [
  {
    name: 'W1',
    title: 'one attachment over HAL',
    connections: 16,
    requests: {
      ...both(oneAttachment),
      postgraphile: attachments.map((id) => query(peerAttachment, id)),
    },
  },
  {
    name: 'W1+',
    title: 'the same; PostGraphile also reads what HAL embeds',
    connections: 16,
    requests: {
      ours: oneAttachment,
      postgraphile: attachments.map((id) => query(peerWholeAttachment, id)),
    },
  },
  {
    name: 'W2',
    title: '100 attachments over HAL',
    connections: 16,
    requests: both(workPackages.map((id) => get(`/api/v3/work_packages/${id}/attachments`))),
  },
  {
    name: 'W3',
    title: '100 attachments by GraphQL',
    connections: 16,
    requests: {
      ...both(workPackages.map((id) => query(attachmentsDocument, String(id)))),
      postgraphile: workPackages.map((id) => query(peerAttachments, id)),
    },
  },
  {
    name: 'W4',
    title: 'uploads of 100 kB, 8 at a time',
    connections: 8,
    requests: both(
      seeded.inboxes.map((id) => ({
        method: 'POST',
        path: `/api/v3/work_packages/${id}/attachments`,
        file: 100_000,
      })),
    ),
  },
  {
    name: 'W4T',
    title: 'the same as resumable uploads, each in one request',
    connections: 8,
    requests: {
      ours: seeded.inboxes.map((id) => ({
        method: 'POST',
        path: '/uploads',
        file: 100_000,
        headers: {
          'Tus-Resumable': '1.0.0',
          'Upload-Length': '100000',
          'Upload-Metadata': metadataOf({ filename: 'upload.bin', container: nodeId(id) }),
          'Content-Type': 'application/offset+octet-stream',
        },
      })),
    },
  },
  {
    name: 'W1L',
    title: 'one file link over HAL, its storage is asked',
    connections: 16,
    requests: both(scattered(seededLinks).map((id) => get(`/api/v3/file_links/${id}`))),
  },
  {
    name: 'W3L',
    title: '100 file links by GraphQL, their storage is asked',
    connections: 16,
    requests: both(workPackages.map((id) => query(linksDocument, String(id)))),
  },
  {
    name: 'WS',
    title: 'a word in 100 of 10,000 work packages by GraphQL',
    connections: 16,
    requests: both(seeded.searches.map((search) => graphql(searchDocument, { search }))),
  },
];

export const fileTitles = {
  W5: 'one upload',
  W5x8: 'eight uploads at once',
  W6: 'download',
} as const;
