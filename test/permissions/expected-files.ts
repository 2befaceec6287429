/**
 * The part of the permission matrix for file links and the files of storages.
 * It imports nothing from `src`.
 */
import type { Caller, Exclusion, Kind, OneProtocol, Operation, Table } from './expected.js';

const files = ['view_work_packages', 'view_file_links'];
const manage = 'manage_file_links';
const writing = ['add_work_packages', 'edit_work_packages'];

/** Callers that differ only in operations on file links. */
export const linkers: { readonly [code: string]: Caller } = {
  fx: {
    name: 'editor who manages file links',
    project: 'private',
    member: [...files, manage, ...writing],
  },
  fy: { name: 'editor who views file links', project: 'private', member: [...files, ...writing] },
  fi: {
    name: 'manager of file links who cannot view them',
    project: 'private',
    member: ['view_work_packages', manage],
  },
  fz: {
    name: 'manager of file links without work packages',
    project: 'private',
    member: ['view_file_links', manage],
  },
  fu: {
    name: 'manager of file links without an account at the storage',
    project: 'private',
    member: [...files, manage],
    unconnected: true,
  },
  vx: {
    name: 'anonymous user in a public project where anonymous users edit and manage file links',
    project: 'public',
    isAnonymous: true,
    anonymousRole: [...files, manage, ...writing],
  },
};

export const linkKinds = [
  'file link',
  // The project no longer uses the storage of the link.
  'file link to an unused storage',
  'own unclaimed file link',
  "another's unclaimed file link",
] as const;

export const fileOperations = [
  'find file link',
  'list file links',
  'view file link',
  'view file link of work package',
  'open file link',
  'open location of file link',
  'download file link',
  'delete file link',
  'delete file link of work package',
  'create file links',
  'create unclaimed file links',
  'browse files',
  'view file',
  'create folder',
  'prepare storage upload',
  'claim own file link on create',
  "claim another's file link on create",
  'claim own file link on update',
  "claim another's file link on update",
  'claim claimed file link on update',
  'drop file link on update',
] as const;
export type FileOperation = (typeof fileOperations)[number];

export const isFileOperation = (operation: string): operation is FileOperation =>
  (fileOperations as readonly string[]).includes(operation);

export const fileTables: Table[] = [
  {
    // The list contains what "view file link" shows, but no unclaimed links.
    operations: ['find file link'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | out out out ok  ok  out ok  out out out ok  out out ok  ok  ok  ok  out out ok  ok
      file link to an unused storage | out out out out out out out out out out out out out out out out out out out out out
      own unclaimed file link        | out out out out out out out out out out out out out out out out out out out out out
      another's unclaimed file link  | out out out out out out out out out out out out out out out out out out out out out`,
  },
  {
    // Requires view_work_packages and view_file_links. 403 if only the work package is visible.
    // The list omits a link to a storage that the project does not use, for all callers.
    operations: ['list file links'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 403 ok  ok  404 ok  404 404 404 ok  404 404 ok  ok  ok  ok  403 404 ok  ok
      file link to an unused storage | 404 404 403 out out 404 out 404 404 404 out 404 404 out out out out 403 404 out out`,
  },
  {
    // Requires both view permissions, otherwise 404.
    // Only the creator can read an unclaimed link, if the storage is visible. Anonymous users own no links.
    operations: ['view file link', 'open file link', 'open location of file link'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  ok  404 ok  404 404 404 ok  404 404 ok  ok  ok  ok  404 404 ok  ok
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      own unclaimed file link        | 404 404 404 ok  ok  404 ok  ok  ok  404 ok  ok  404 404 404 ok  ok  404 404 ok  404
      another's unclaimed file link  | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // The same, with the path below the work package.
    operations: ['view file link of work package'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  ok  404 ok  404 404 404 ok  404 404 ok  ok  ok  ok  404 404 ok  ok
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Like "view file link". The storage answers for the caller, and refuses users without an account.
    operations: ['download file link'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  ok  404 ok  404 404 404 ok  404 404 500 500 ok  ok  404 404 500 500
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      own unclaimed file link        | 404 404 404 ok  ok  404 ok  ok  ok  404 ok  ok  404 404 404 ok  ok  404 404 500 404
      another's unclaimed file link  | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Requires manage_file_links. 403 if the link is visible, otherwise 404.
    // Only the creator can delete an unclaimed link.
    operations: ['delete file link'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  403 404 ok  404 404 404 403 404 404 403 ok  ok  403 404 404 ok  ok
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      own unclaimed file link        | 404 404 404 ok  ok  404 ok  ok  ok  404 ok  ok  404 404 404 ok  ok  404 404 ok  404
      another's unclaimed file link  | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // The same, with the path below the work package.
    operations: ['delete file link of work package'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  403 404 ok  404 404 404 403 404 404 403 ok  ok  403 404 404 ok  ok
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Requires manage_file_links and a visible work package.
    // 422 for a storage that the project does not use. The caller need not see one that it uses.
    operations: ['create file links'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 404 404 403 ok  403 404 ok  404 404 404 403 404 404 403 ok  ok  403 ok  404 ok  ok
      unused storage                 | 404 404 403 422 403 404 422 404 404 404 403 404 404 403 422 422 403 422 404 422 422`,
  },
  {
    // Requires manage_file_links in any project. Anonymous users always get 403.
    // 422 if no such project uses the storage. An invisible storage answers like a missing one.
    operations: ['create unclaimed file links'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 403 403 403 ok  403 403 ok  403 422 422 403 403 403 403 403 ok  403 422 422 ok  403
      unused storage                 | 403 403 403 422 403 403 422 403 422 422 403 403 403 403 403 422 403 422 422 422 403`,
  },
  {
    // Requires both view permissions in a project that uses the storage. Administrators need no project.
    // 404 if the storage is invisible. 403 if the caller sees it for another reason.
    operations: ['browse files', 'view file'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 404 404 404 ok  ok  404 ok  403 403 404 ok  403 404 500 500 ok  ok  404 404 500 500
      unused storage                 | 404 404 404 ok  404 404 404 403 403 404 404 403 404 404 403 404 404 404 404 404 404`,
  },
  {
    // Requires manage_file_links in a project that uses the storage.
    // An unused storage answers 403 for administrators too.
    operations: ['create folder'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 404 404 404 ok  403 404 ok  403 403 404 403 403 404 403 500 ok  403 404 404 500 500
      unused storage                 | 404 404 404 403 404 404 404 403 403 404 404 403 404 404 403 404 404 404 404 404 404`,
  },
  {
    // Requires manage_file_links in the project that the request names.
    // 404 if the project is invisible. 422 if it does not use the storage.
    operations: ['prepare storage upload'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 404 404 404 ok  403 404 ok  403 404 404 403 403 404 403 500 ok  403 404 404 500 500
      unused storage                 | 404 404 404 422 404 404 404 403 404 404 404 403 404 404 422 404 404 404 404 404 404`,
  },
  {
    // Like "create container" with manage_file_links, otherwise 403. Anonymous users own no links.
    operations: ['claim own file link on create'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      work package                   | 404 404 403 ok  403 403 403 403 404 404 403 403 403 403 403 ok  403 403 403 403 422`,
  },
  {
    // Only the creator can claim a link. The link of another user answers like a missing one.
    operations: ["claim another's file link on create"],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      work package                   | 404 404 403 422 403 403 403 403 404 404 403 403 403 403 403 422 422 403 403 403 422`,
  },
  {
    // Like "update container" with manage_file_links, otherwise 403.
    operations: ['claim own file link on update'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      work package                   | 404 404 403 ok  403 404 403 404 404 404 403 404 404 403 403 ok  403 403 404 403 422`,
  },
  {
    // A link can be claimed once only.
    operations: ["claim another's file link on update", 'claim claimed file link on update'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      work package                   | 404 404 422 422 403 404 403 404 404 404 403 404 404 403 403 422 422 403 404 403 422`,
  },
  {
    // The new set replaces the old one. Removing a link requires manage_file_links.
    operations: ['drop file link on update'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      work package                   | 404 404 403 ok  403 404 403 404 404 404 403 404 404 403 403 ok  403 403 404 403 ok`,
  },
];

const ofWorkPackages: Operation[] = [
  'list file links',
  'view file link of work package',
  'delete file link of work package',
];
const onLinks: Operation[] = [
  'find file link',
  'view file link',
  'open file link',
  'open location of file link',
  'download file link',
  'delete file link',
];
const inStorages: Operation[] = [
  'create file links',
  'create unclaimed file links',
  'browse files',
  'view file',
  'create folder',
  'prepare storage upload',
];
const claims: Operation[] = [
  'claim own file link on create',
  "claim another's file link on create",
  'claim own file link on update',
  "claim another's file link on update",
  'claim claimed file link on update',
  'drop file link on update',
];

const links: readonly Kind[] = linkKinds;
/** The callers with cells in these tables. */
const listed = fileTables[0]!.cells.trim().split('\n')[0]!.split('|')[1]!.trim().split(/ +/);

/** @param all the operations, kinds and callers of the whole matrix */
export function fileExclusions(all: {
  operations: readonly Operation[];
  kinds: readonly Kind[];
  callers: string[];
}): Exclusion[] {
  const others = (kinds: readonly Kind[]) => all.kinds.filter((kind) => !kinds.includes(kind));
  return [
    {
      operations: all.operations.filter((operation) => !isFileOperation(operation)),
      kinds: links,
      reason: 'A file link is no attachment, container, API key or storage.',
    },
    {
      operations: all.operations.filter((operation) => !isFileOperation(operation)),
      kinds: others(links),
      callers: Object.keys(linkers),
      reason: 'These callers differ only in file links. Other callers stand for them.',
    },
    {
      operations: fileOperations,
      kinds: all.kinds,
      callers: all.callers.filter((code) => !listed.includes(code)),
      reason: 'Callers without permissions on files behave alike. Representatives stand for them.',
    },
    {
      operations: ofWorkPackages,
      kinds: others(links.slice(0, 2)),
      reason: 'Only claimed file links belong to a work package.',
    },
    { operations: onLinks, kinds: others(links), reason: 'Only file links have these operations.' },
    {
      operations: inStorages,
      kinds: others(['storage', 'unused storage']),
      reason: 'Only storages contain files.',
    },
    {
      operations: claims,
      kinds: others(['work package']),
      reason: 'Only work packages have file links.',
    },
  ];
}

export const filesOverOneProtocol: OneProtocol[] = [
  {
    operations: ['find file link'],
    kinds: links,
    protocol: 'GraphQL',
    reason: 'REST lists the links of one work package.',
  },
  {
    operations: ['view file link of work package', 'delete file link of work package'],
    kinds: links,
    protocol: 'REST',
    reason: 'In GraphQL a link has one id, with or without a work package.',
  },
];
