/** The requests: the reads of the main benchmark, and first and late pages of long lists. */
import type { Request } from '../load.js';
import { attachmentsDocument } from '../workloads.js';
import type { Caller, World } from './databases.js';

export interface Asked {
  caller: Caller;
  requests: Request[];
}

/** The largest number of different rows. */
const SAMPLES = { attachments: 5_000, workPackages: 1_000 };

export const reads = ['W1', 'W2', 'W3'] as const;
type Read = (typeof reads)[number];
export const readTitles: { [name in Read]: string } = {
  W1: 'one attachment over HAL',
  W2: '100 attachments over HAL',
  W3: '100 attachments by GraphQL',
};

/** A member reads its own projects, an administrator the whole database. The order differs from that of the rows. */
export function readsOf(name: Read, caller: Caller, { size, own, projects }: World): Asked {
  const workPackages = spread(caller === 'member' ? own : projects, SAMPLES.workPackages);
  const each = size.attachments / size.projects;
  const requests = {
    W1: () =>
      spread(
        workPackages.flatMap((id) =>
          Array.from({ length: each }, (_, n) => (id - 1) * each + n + 1),
        ),
        SAMPLES.attachments,
      ).map((id) => get(`/api/v3/attachments/${id}`)),
    W2: () => workPackages.map((id) => get(`/api/v3/work_packages/${id}/attachments`)),
    W3: () => workPackages.map((id) => ask(attachmentsDocument, { id: String(id) })),
  };
  return { caller, requests: requests[name]() };
}

export const lists = [
  'attachments',
  'fileLinks',
  'activities',
  'projectStorages',
  'quarantine',
] as const;
type List = (typeof lists)[number];
export const listTitles: { [name in List]: string } = {
  attachments: 'attachments of one work package, by name',
  fileLinks: 'file links of one work package',
  activities: 'activities of one work package',
  projectStorages: 'project storages, as an administrator',
  quarantine: 'files in quarantine, as an administrator',
};

/** A page of 50 from the start, or after 90 % of the list. */
export function pageOf(name: List, { longWorkPackage, cursors }: World, deep: boolean): Asked {
  const page = `first: 50${deep ? `, after: "${cursors[name]}"` : ''}`;
  const below = (list: string) => `{ workPackage(id: ${longWorkPackage}) { ${list} } }`;
  const [caller, document]: [Caller, string] = {
    attachments: [
      'member',
      below(`attachments(${page}) { nodes { databaseId fileName author { name } } }`),
    ] as [Caller, string],
    fileLinks: [
      'member',
      below(
        `fileLinks(${page}) { nodes { databaseId originData(refresh: false) { name } creator { name } } }`,
      ),
    ] as [Caller, string],
    activities: [
      'member',
      below(`activities(${page}) { nodes { databaseId author { name } } }`),
    ] as [Caller, string],
    projectStorages: [
      'admin',
      `{ projectStorages(${page}) { nodes { databaseId project { name } } } }`,
    ] as [Caller, string],
    quarantine: [
      'admin',
      `{ quarantinedAttachments(${page}) { nodes { databaseId fileName author { name } } } }`,
    ] as [Caller, string],
  }[name];
  return { caller, requests: [ask(document)] };
}

const get = (path: string): Request => ({ method: 'GET', path });
const ask = (query: string, variables: object = {}): Request => ({
  method: 'POST',
  path: '/graphql',
  json: { query, variables },
});

/** This number of elements, spread over the whole list. */
function spread<T>(list: readonly T[], count: number): T[] {
  const some =
    list.length <= count
      ? list
      : Array.from({ length: count }, (_, n) => list[Math.floor((n * list.length) / count)]!);
  return some.map((_, n) => some[(n * 37) % some.length]!);
}
