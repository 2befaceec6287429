/**
 * The part of the permission matrix for moved and deleted attachments, their small pictures, and resumable uploads.
 * It imports nothing from `src`.
 */
import type { Exclusion, Kind, OneProtocol, Operation, Table } from './expected.js';

const ofTrash = ['restore attachment', 'list trash'] as const;
const ofContainers = ['begin resumable upload'] as const;
const ofAttachments = [
  'find attachment',
  'move attachment',
  'replace attachment',
  'view small picture',
  'ask for resumable upload',
  'go on with resumable upload',
  'end resumable upload',
] as const;

export const attachmentOperations = [
  ...ofAttachments,
  ...ofTrash,
  'empty trash',
  ...ofContainers,
  'begin unclaimed resumable upload',
] as const;
export type AttachmentOperation = (typeof attachmentOperations)[number];

export const attachmentTables: Table[] = [
  {
    // The list contains the attachments of containers that the caller can view.
    operations: ['find attachment'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | out out out out ok  ok  ok  ok  out ok  ok  ok  ok  ok  ok  out ok  out ok  ok  out out out ok  ok  out ok  out ok  out ok  ok
      comment             | out out out out ok  ok  ok  ok  out ok  ok  ok  ok  ok  ok  out ok  out ok  ok  out out out ok  ok  out ok  out ok  out ok  ok
      internal comment    | out out out out out out ok  ok  out ok  ok  out ok  ok  ok  out ok  out out out out out out out out out out out out out ok  ok
      meeting             | out out out out ok  ok  ok  ok  out ok  ok  ok  ok  ok  out out ok  out ok  ok  ok  out out out ok  out ok  out ok  out ok  ok
      post                | out out out out ok  ok  ok  ok  out ok  ok  ok  ok  ok  out out ok  out ok  ok  out ok  out out ok  out ok  out ok  out ok  ok
      wiki page           | out out out out ok  ok  ok  ok  out ok  ok  ok  ok  ok  out out ok  out ok  ok  out out ok  out ok  out ok  out ok  out ok  ok
      own unclaimed       | out out out out out out out out out out out out out out out out out out out out out out out out out out out out out out out out
      another's unclaimed | out out out out out out out out out out out out out out out out out out out out out out out out out out out out out out out out`,
  },
  {
    // To another container of the same kind and author; an unclaimed attachment to a work package.
    // Requires what "delete attachment" requires where it is, and what "add attachment" requires there.
    operations: ['move attachment'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  403 404 ok  404 403 403 404 404 404 ok  403 404 ok  404 403 404 ok  403
      comment             | 404 404 404 404 403 ok  ok  403 404 ok  ok  403 403 ok  403 404 ok  404 403 403 404 404 404 ok  403 404 ok  404 403 404 ok  403
      internal comment    | 404 404 404 404 404 404 ok  403 404 ok  ok  404 403 ok  403 404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 ok  403
      meeting             | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 ok  404 404 404 403 404 ok  404 403 404 ok  403
      post                | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 ok  404 404 403 404 ok  404 403 404 ok  403
      wiki page           | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 404 ok  404 403 404 ok  404 403 404 ok  403
      own unclaimed       | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  403 404 ok  404 ok  ok  404 404 404 ok  403 404 ok  404 403 404 404 403
      another's unclaimed | 404 404 404 404 403 404 403 403 404 403 403 403 403 404 403 404 404 404 404 404 404 404 404 404 403 404 404 404 403 404 404 403`,
  },
  {
    // Requires what "delete attachment" required. Others do not learn that the attachment was there.
    operations: ['restore attachment'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 404 ok  404 404 404 404 404 404 404 ok  404 404 ok  404 404 404 404 404 404 ok  404 404 ok  404 404 404 ok  404
      comment             | 404 404 404 404 404 ok  ok  404 404 ok  ok  404 404 ok  404 404 ok  404 404 404 404 404 404 ok  404 404 ok  404 404 404 ok  404
      internal comment    | 404 404 404 404 404 404 ok  404 404 ok  ok  404 404 ok  404 404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 ok  404
      meeting             | 404 404 404 404 404 ok  404 404 404 404 404 404 404 ok  404 404 ok  404 404 404 ok  404 404 404 404 404 ok  404 404 404 ok  404
      post                | 404 404 404 404 404 ok  404 404 404 404 404 404 404 ok  404 404 ok  404 404 404 404 ok  404 404 404 404 ok  404 404 404 ok  404
      wiki page           | 404 404 404 404 404 ok  404 404 404 404 404 404 404 ok  404 404 ok  404 404 404 404 404 ok  404 404 404 ok  404 404 404 ok  404`,
  },
  {
    // The list contains what the caller may restore.
    operations: ['list trash'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 out ok  out out 404 out out out out ok  out 404 ok  404 out out 404 404 404 ok  out 404 ok  404 out 404 ok  out
      comment             | 404 404 404 404 out ok  ok  out 404 ok  ok  out out ok  out 404 ok  404 out out 404 404 404 ok  out 404 ok  404 out 404 ok  out
      internal comment    | 404 404 404 404 404 404 ok  out 404 ok  ok  404 out ok  out 404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 ok  out
      meeting             | 404 404 404 404 out ok  out out 404 out out out out ok  404 404 ok  404 out out ok  404 404 404 out 404 ok  404 out 404 ok  out
      post                | 404 404 404 404 out ok  out out 404 out out out out ok  404 404 ok  404 out out 404 ok  404 404 out 404 ok  404 out 404 ok  out
      wiki page           | 404 404 404 404 out ok  out out 404 out out out out ok  404 404 ok  404 out out 404 404 ok  404 out 404 ok  404 out 404 ok  out`,
  },
  {
    // Only administrators. Others get 403 if they see the project.
    operations: ['empty trash'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 403 403 403 403 403 404 403 403 403 403 ok  403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403`,
  },
];

/** @param all the kinds of the whole matrix */
export function attachmentExclusions(all: { kinds: readonly Kind[] }): Exclusion[] {
  const otherThan = (kinds: readonly Kind[]) => all.kinds.filter((kind) => !kinds.includes(kind));
  const unclaimed: readonly Kind[] = ['own unclaimed', "another's unclaimed"];
  const containers: readonly Kind[] = [
    'work package',
    'comment',
    'internal comment',
    'meeting',
    'post',
    'wiki page',
  ];
  // One exclusion for storages and one for file links and accounts are in the whole matrix.
  const keys: readonly Kind[] = ['own API key', "another's API key"];
  return [
    {
      operations: ofAttachments,
      kinds: ['record of a change', ...keys],
      reason: 'A record of a change has no attachments, and an API key is none.',
    },
    {
      operations: ofTrash,
      kinds: ['record of a change', ...unclaimed, ...keys],
      reason: 'Only attachments of containers are kept in the trash.',
    },
    {
      operations: ['empty trash'],
      kinds: [...containers.slice(1), 'record of a change', ...unclaimed, ...keys],
      reason: 'The trash of a project is emptied, whatever it contains.',
    },
    {
      operations: ofContainers,
      kinds: [...unclaimed, ...keys],
      reason: 'An unclaimed attachment has no container, and an API key is none.',
    },
    {
      operations: ['begin unclaimed resumable upload'],
      kinds: otherThan(['own unclaimed']),
      reason: 'With a container it is "begin resumable upload". Nobody uploads for another user.',
    },
  ];
}

const graphqlOnly: Operation[] = [
  'find attachment',
  'move attachment',
  'replace attachment',
  ...ofTrash,
  'empty trash',
];

export const attachmentsOverOneProtocol = (kinds: readonly Kind[]): OneProtocol[] => [
  {
    operations: graphqlOnly,
    kinds,
    protocol: 'GraphQL',
    reason: 'REST moves, replaces and restores nothing.',
  },
  {
    operations: attachmentOperations.filter((one) => one.endsWith(' resumable upload')),
    kinds,
    // The cells of `/uploads` are in the column of REST.
    protocol: 'REST',
    reason: 'These are requests of a protocol of its own. GraphQL begins direct uploads only.',
  },
];
