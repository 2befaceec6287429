/**
 * Interface sections 4.4, 4.5, 5 and 7 with decisions 2 and 3, written out a second time: file links, and the files of storages.
 * Imports nothing of the service.
 */
import type { Caller, Exclusion, Kind, OneProtocol, Operation, Table } from './expected.js';

const files = ['view_work_packages', 'view_file_links'];
const manage = 'manage_file_links';
const writing = ['add_work_packages', 'edit_work_packages'];

/** Who is told apart by file links only. */
export const linkers: { readonly [code: string]: Caller } = {
  fx: {
    name: 'editor who manages file links',
    project: 'private',
    member: [...files, manage, ...writing],
  },
  fy: { name: 'editor who views file links', project: 'private', member: [...files, ...writing] },
  fi: {
    name: 'manager of file links who may not view them',
    project: 'private',
    member: ['view_work_packages', manage],
  },
  fz: {
    name: 'manager of file links without work packages',
    project: 'private',
    member: ['view_file_links', manage],
  },
  fu: {
    name: 'manager of file links whom no storage knows',
    project: 'private',
    member: [...files, manage],
    unconnected: true,
  },
  vx: {
    name: 'visitor of a public project where visitors edit and manage file links',
    project: 'public',
    visitor: true,
    anonymous: [...files, manage, ...writing],
  },
};

export const linkKinds = {
  'file link': { itself: 'a file link', attachment: '' },
  'file link to an unused storage': {
    itself: 'a file link to a storage that the project uses no more',
    attachment: '',
  },
  'own unclaimed file link': { itself: 'an unclaimed file link of their own', attachment: '' },
  "another's unclaimed file link": {
    itself: 'an unclaimed file link of somebody else',
    attachment: '',
  },
} as const;

export const fileOperations = {
  'list file links': { title: 'GET file links with %', about: 'itself' },
  'view file link': { title: 'GET %', about: 'itself' },
  'view file link of work package': { title: 'GET below its work package %', about: 'itself' },
  'open file link': { title: 'GET open of %', about: 'itself' },
  'open location of file link': { title: 'GET open the location of %', about: 'itself' },
  'download file link': { title: 'GET download of %', about: 'itself' },
  'delete file link': { title: 'DELETE %', about: 'itself' },
  'delete file link of work package': { title: 'DELETE below its work package %', about: 'itself' },
  'create file links': { title: 'POST file links of a work package to %', about: 'itself' },
  'create unclaimed file links': { title: 'POST unclaimed file links to %', about: 'itself' },
  'browse files': { title: 'GET files of %', about: 'itself' },
  'view file': { title: 'GET a file of %', about: 'itself' },
  'create folder': { title: 'POST folder in %', about: 'itself' },
  'prepare storage upload': { title: 'POST prepare_upload to %', about: 'itself' },
  'claim own file link on create': {
    title: 'POST % that claims an own file link',
    about: 'itself',
  },
  "claim another's file link on create": {
    title: "POST % that claims somebody else's file link",
    about: 'itself',
  },
  'claim own file link on update': {
    title: 'PATCH % that claims an own file link',
    about: 'itself',
  },
  "claim another's file link on update": {
    title: "PATCH % that claims somebody else's file link",
    about: 'itself',
  },
  'claim claimed file link on update': {
    title: 'PATCH % that claims a file link of another work package',
    about: 'itself',
  },
  'drop file link on update': { title: 'PATCH % that leaves out its file link', about: 'itself' },
} as const;

export const fileTables: Table[] = [
  {
    // Section 4.4 and 5: view_work_packages and view_file_links. Section 7.7: 403 where the work package alone is visible. T125, T136: a
    // link to a storage that the project does not use is left out, for everybody.
    operations: ['list file links'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 403 ok  ok  404 ok  404 404 404 ok  404 404 ok  ok  ok  ok  403 404 ok  ok
      file link to an unused storage | 404 404 403 out out 404 out 404 404 404 out 404 404 out out out out 403 404 out out`,
  },
  {
    // Section 5: both view permissions, 404 without (T155). Unclaimed: the creator alone, not even an admin, while they see the storage
    // that the link shows (sections 1 and 2.5); a visitor owns none.
    operations: ['view file link', 'open file link', 'open location of file link'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  ok  404 ok  404 404 404 ok  404 404 ok  ok  ok  ok  404 404 ok  ok
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      own unclaimed file link        | 404 404 404 ok  ok  404 ok  ok  ok  404 ok  ok  404 404 404 ok  ok  404 404 ok  404
      another's unclaimed file link  | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // The same over the work package's own address.
    operations: ['view file link of work package'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  ok  404 ok  404 404 404 ok  404 404 ok  ok  ok  ok  404 404 ok  ok
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // As viewing; the storage is asked as the caller, and whom it does not know fails there (decisions 1, C15, C20).
    operations: ['download file link'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  ok  404 ok  404 404 404 ok  404 404 500 500 ok  ok  404 404 500 500
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      own unclaimed file link        | 404 404 404 ok  ok  404 ok  ok  ok  404 ok  ok  404 404 404 ok  ok  404 404 500 404
      another's unclaimed file link  | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Section 5: manage_file_links; 403 where it is visible, 404 where it is not (T157). Unclaimed ones are their creator's to remove.
    operations: ['delete file link'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  403 404 ok  404 404 404 403 404 404 403 ok  ok  403 404 404 ok  ok
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      own unclaimed file link        | 404 404 404 ok  ok  404 ok  ok  ok  404 ok  ok  404 404 404 ok  ok  404 404 ok  404
      another's unclaimed file link  | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // The same over the work package's own address.
    operations: ['delete file link of work package'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      file link                      | 404 404 404 ok  403 404 ok  404 404 404 403 404 404 403 ok  ok  403 404 404 ok  ok
      file link to an unused storage | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Section 5: manage_file_links on a visible work package (T154). Section 7.8: 422 for a storage that is unknown, which an invisible
    // one is told to be (section 1), and for one that the project does not use (T146).
    operations: ['create file links'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 404 404 403 ok  403 404 ok  404 404 404 403 404 404 403 ok  ok  403 422 404 ok  ok
      unused storage                 | 404 404 403 422 403 404 422 404 404 404 403 404 404 403 422 422 403 422 404 422 422`,
  },
  {
    // Decisions 3: manage_file_links in some project of the storage, never a visitor. Whoever holds it elsewhere only is told about the
    // element: not linked, or unknown where it is invisible.
    operations: ['create unclaimed file links'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 403 403 403 ok  403 403 ok  403 422 422 403 403 403 403 403 ok  403 422 422 ok  403
      unused storage                 | 403 403 403 422 403 403 422 403 422 422 403 403 403 403 403 422 403 422 422 422 403`,
  },
  {
    // Section 5: both view permissions in a project of the storage; 404 where it is invisible (section 7.9), 403 where it is seen for
    // other reasons (T175). An administrator needs no project.
    operations: ['browse files', 'view file'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 404 404 404 ok  ok  404 ok  403 403 404 ok  403 404 500 500 ok  ok  404 404 500 500
      unused storage                 | 404 404 404 ok  404 404 404 403 403 404 404 403 404 404 403 404 404 404 404 404 404`,
  },
  {
    // Decisions 3, C21: manage_file_links in a project of the storage; one that no project uses has none, not even for an admin.
    operations: ['create folder'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 404 404 404 ok  403 404 ok  403 403 404 403 403 404 403 500 ok  403 404 404 500 500
      unused storage                 | 404 404 404 403 404 404 404 403 403 404 404 403 404 404 403 404 404 404 404 404 404`,
  },
  {
    // The same in the project that the request names (T191): 404 where that is invisible, 422 where it does not use the storage.
    operations: ['prepare storage upload'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      storage                        | 404 404 404 ok  403 404 ok  403 404 404 403 403 404 403 500 ok  403 404 404 500 500
      unused storage                 | 404 404 404 422 404 404 404 403 404 404 404 403 404 404 422 404 404 404 404 404 404`,
  },
  {
    // As creating the work package, and manage_file_links besides: 403 without (T121). A visitor owns no unclaimed link.
    operations: ['claim own file link on create'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      work package                   | 404 404 403 ok  403 403 403 403 404 404 403 403 403 403 403 ok  403 403 403 403 422`,
  },
  {
    // Claims are by the creator (section 1); what is not theirs does not exist, whatever they may do with what is.
    operations: ["claim another's file link on create"],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      work package                   | 404 404 403 422 403 403 403 403 404 404 403 403 403 403 403 422 422 403 403 403 422`,
  },
  {
    // As updating the work package, and manage_file_links besides.
    operations: ['claim own file link on update'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      work package                   | 404 404 403 ok  403 404 403 404 404 404 403 404 404 403 403 ok  403 403 404 403 422`,
  },
  {
    // Section 1: once claimed it cannot be claimed again.
    operations: ["claim another's file link on update", 'claim claimed file link on update'],
    cells: `
                                     | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va  fx  fy  fi  fz  fu  vx
      work package                   | 404 404 422 422 403 404 403 404 404 404 403 404 404 403 403 422 422 403 404 403 422`,
  },
  {
    // The set replaces the other one; removing asks manage_file_links (section 5).
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
const onFiles: Operation[] = [...ofWorkPackages, ...onLinks, ...inStorages, ...claims];

const links = Object.keys(linkKinds) as Kind[];
const told = fileTables[0]!.cells.trim().split('\n')[0]!.split('|')[1]!.trim().split(/ +/);

/** @param all everything that there is beside */
export function fileExclusions(all: {
  operations: Operation[];
  kinds: Kind[];
  callers: string[];
}): Exclusion[] {
  const others = (kinds: Kind[]) => all.kinds.filter((kind) => !kinds.includes(kind));
  return [
    {
      operations: all.operations.filter((operation) => !onFiles.includes(operation)),
      kinds: links,
      reason: 'A file link is no attachment, container, API key or storage.',
    },
    {
      operations: all.operations.filter((operation) => !onFiles.includes(operation)),
      kinds: others(links),
      callers: Object.keys(linkers),
      reason: 'Told apart by file links alone; other callers stand for them elsewhere.',
    },
    {
      operations: onFiles,
      kinds: all.kinds,
      callers: all.callers.filter((code) => !told.includes(code)),
      reason:
        'Without permissions on files all are the same: visitor, stranger and editor stand for them.',
    },
    {
      operations: ofWorkPackages,
      kinds: others(links.slice(0, 2)),
      reason: 'Only what a work package has is listed and found below it.',
    },
    { operations: onLinks, kinds: others(links), reason: 'Nothing else is a file link.' },
    {
      operations: inStorages,
      kinds: others(['storage', 'unused storage']),
      reason: 'Files are in storages, and links lead there.',
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
    operations: ['view file link of work package', 'delete file link of work package'],
    kinds: links,
    protocol: 'REST',
    reason: 'In the graph a link has one id, whatever it belongs to.',
  },
];
