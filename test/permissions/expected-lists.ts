/**
 * The part of the permission matrix for lists, the form of a new work package, and accounts.
 * It imports nothing from `src`.
 */
import { administrationOperations, endings } from './expected-administration.js';
import type { Exclusion, Kind, OneProtocol, Operation, Table } from './expected.js';

export const accountKinds = [
  'own account',
  // Of a member of the project, who has a picture.
  "another's account",
] as const;

const ofWorkPackages = [
  'list work packages',
  'list work packages of project',
  'list projects',
  'list projects for new work packages',
  'list statuses',
  'list types',
  'list types of project',
  'list members',
  'list assignees',
  'fill form of new work package',
] as const;

export const onAccounts = ['list users', 'view picture', 'set picture', 'remove picture'] as const;

export const listOperations = [...ofWorkPackages, ...onAccounts] as const;

export const listTables: Table[] = [
  {
    // The list contains the work packages that the caller can view. Who can view none in any project gets 403.
    operations: ['list work packages'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | out out out 403 ok  ok  ok  ok  403 ok  ok  ok  ok  ok  ok  403 ok  403 ok  ok  403 403 403 ok  ok  403 ok  403 ok  403 ok  ok`,
  },
  {
    // Requires view_work_packages in a visible project.
    operations: ['list work packages of project', 'list types of project'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 403 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  403 ok  403 ok  ok  403 403 403 ok  ok  403 ok  403 ok  403 ok  ok`,
  },
  {
    // Requires view_work_packages in any project.
    operations: ['list statuses', 'list types'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | ok  ok  ok  403 ok  ok  ok  ok  403 ok  ok  ok  ok  ok  ok  403 ok  403 ok  ok  403 403 403 ok  ok  403 ok  403 ok  403 ok  ok`,
  },
  {
    // The list contains the projects that the caller can view.
    operations: ['list projects'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | out out out ok  ok  ok  ok  ok  out ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok`,
  },
  {
    // The list contains the projects where the caller can create work packages. Who can do it nowhere gets 403.
    operations: ['list projects for new work packages'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 403 403 out 403 403 403 403 403 403 403 403 403 403 ok  403 403 403 403 ok  403 403 403 403 403 403 403 403 403 403 403 ok  403`,
  },
  {
    // Requires add_work_packages in a visible project, as the creation itself.
    operations: ['fill form of new work package', 'list assignees'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 403 403 403 403 403 404 403 403 403 403 ok  403 403 403 403 ok  403 403 403 403 403 403 403 403 403 403 403 ok  403`,
  },
  {
    // Only members and administrators.
    operations: ['list members'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 ok  ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  403 403 403 ok  403 403 403 403`,
  },
  {
    // The list contains the caller and the people with whom the caller shares a project.
    operations: ['list users'],
    cells: `
                          | an  st  bm  vi  ad  nm  mb  vs
      own account         | -   ok  ok  ok  ok  ok  ok  -
      another's account   | out out ok  ok  ok  out ok  out`,
  },
  {
    // Everybody who sees the user. Anonymous users see members of public projects.
    operations: ['view picture'],
    cells: `
                          | an  st  bm  vi  ad  nm  mb  vs
      own account         | -   ok  ok  ok  ok  ok  ok  -
      another's account   | 404 ok  ok  ok  ok  ok  ok  ok`,
  },
  {
    // The user, and administrators.
    operations: ['set picture', 'remove picture'],
    cells: `
                          | an  st  bm  vi  ad  nm  mb  vs
      own account         | -   ok  ok  ok  ok  ok  ok  -
      another's account   | 404 403 403 403 ok  403 403 403`,
  },
];

/** The callers with cells for accounts. */
const callersOfAccounts = ['an', 'st', 'bm', 'vi', 'ad', 'nm', 'mb', 'vs', 'to'];

/** @param all the operations, kinds and callers of the whole matrix */
export function listExclusions(all: {
  operations: readonly Operation[];
  kinds: readonly Kind[];
  callers: string[];
}): Exclusion[] {
  const accounts: readonly Kind[] = accountKinds;
  const otherThan = (kinds: readonly Kind[]) => all.kinds.filter((kind) => !kinds.includes(kind));
  const operationsOfAccounts: readonly Operation[] = [
    ...onAccounts,
    ...administrationOperations,
    ...endings,
  ];
  return [
    {
      operations: ofWorkPackages,
      kinds: otherThan(['work package']),
      reason: 'One work package and its project stand for all that these lists contain.',
    },
    {
      operations: [...onAccounts, ...endings],
      kinds: otherThan(accounts),
      reason: 'Only accounts have pictures, sessions and what else acts in their names.',
    },
    {
      operations: all.operations.filter((operation) => !operationsOfAccounts.includes(operation)),
      kinds: accounts,
      reason: 'An account is no attachment, container, API key, storage or file link.',
    },
    {
      operations: [...onAccounts, ...endings],
      kinds: accounts,
      callers: all.callers.filter((code) => !callersOfAccounts.includes(code)),
      reason: 'Permissions in projects do not matter for accounts. Others stand for these callers.',
    },
    {
      operations: administrationOperations,
      kinds: ["another's account"],
      callers: all.callers.filter((code) => !callersOfAccounts.includes(code)),
      reason: 'Permissions in projects do not matter for administration. Others stand for these.',
    },
    {
      operations: administrationOperations,
      kinds: otherThan(["another's account"]),
      reason: 'One person and the project of that person stand for all that administrators change.',
    },
    {
      operations: [...onAccounts, ...endings],
      kinds: ['own account'],
      callers: ['an', 'vs'],
      reason: 'Anonymous users have no account.',
    },
  ];
}

export const listsOverOneProtocol: OneProtocol[] = [
  {
    operations: ['list work packages of project', 'list projects for new work packages'],
    kinds: ['work package'],
    protocol: 'REST',
    reason: 'In GraphQL these are filters of the lists of work packages and projects.',
  },
  {
    operations: ['list members'],
    kinds: ['work package'],
    protocol: 'GraphQL',
    reason: 'REST has no list of the members of a project.',
  },
  {
    operations: ['list users', 'set picture', 'remove picture'],
    kinds: accountKinds,
    protocol: 'GraphQL',
    reason: 'REST has no list of users, and only serves their pictures.',
  },
];
