/** The requests of each workload. */
import type { Request } from './load.js';
import { seeded } from './seed.js';

export type WorkloadName = 'W1' | 'W2' | 'W3' | 'W4' | 'W5' | 'W6';

export interface Workload {
  name: WorkloadName;
  title: string;
  requests: Request[];
  connections: number;
  /** Processor time per request, as a multiple of the bare program's. Absent without a target. */
  target?: number;
}

/** W3: a work package with all its attachments. */
export const attachmentsDocument = `query Attachments($id: ID!) {
  workPackage(id: $id) {
    attachments {
      totalCount
      nodes { databaseId title fileName fileSize contentType status createdAt digest { hash } author { databaseId name } viewerCanDelete }
    }
  }
}`;

/** Visits all elements of a list in another order. */
const scattered = <T>(list: readonly T[]): T[] => list.map((_, n) => list[(n * 37) % list.length]!);

export const requestWorkloads: Workload[] = [
  {
    name: 'W1',
    title: 'one attachment over HAL',
    connections: 16,
    target: 3,
    requests: scattered(seeded.attachments).map((id) => ({
      method: 'GET',
      path: `/api/v3/attachments/${id}`,
    })),
  },
  {
    name: 'W2',
    title: '100 attachments over HAL',
    connections: 16,
    target: 2,
    requests: scattered(seeded.workPackages).map((id) => ({
      method: 'GET',
      path: `/api/v3/work_packages/${id}/attachments`,
    })),
  },
  {
    name: 'W3',
    title: '100 attachments by GraphQL',
    connections: 16,
    target: 2.5,
    requests: scattered(seeded.workPackages).map((id) => ({
      method: 'POST',
      path: '/graphql',
      json: { query: attachmentsDocument, variables: { id: String(id) } },
    })),
  },
  {
    name: 'W4',
    title: 'uploads of 100 kB, 8 at a time',
    connections: 8,
    requests: seeded.inboxes.map((id) => ({
      method: 'POST',
      path: `/api/v3/work_packages/${id}/attachments`,
      file: 100_000,
    })),
  },
];

export const fileTitles = {
  W5: 'one upload',
  W5x8: 'eight uploads at once',
  W6: 'download',
} as const;

/** The lowest allowed share of the throughput of the bare program. */
export const THROUGHPUT_TARGET = 0.85;
/** The highest allowed memory above idle, in MiB. */
export const MEMORY_TARGET = 64;
