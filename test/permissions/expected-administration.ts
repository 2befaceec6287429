/** The part of the permission matrix for what only administrators do. It imports nothing from `src`. */
import type { OneProtocol, Table } from './expected.js';

export const administrationOperations = [
  'create user',
  'update user',
  'lock user',
  'unlock user',
  'set password of user',
  'erase user',
  'create role',
  'update role',
  'delete role',
  'create project',
  'update project',
  'set membership',
  'remove membership',
  'import directory',
  'create OAuth application',
  'delete OAuth application',
  'create webhook',
  'update webhook',
  'delete webhook',
  'rotate webhook secret',
  'redeliver event',
  'list webhooks',
  'list files in quarantine',
  'view sessions of user',
  'end sessions of user',
  'view audit',
  'view usage',
  'view state of system',
] as const;

/** A person does it with what is their own, and an administrator with what is anybody's. */
export const endings = ['end session', 'end authorization', 'end connection'] as const;

export const administrationTables: Table[] = [
  {
    // What belongs to somebody else looks like what does not exist.
    operations: endings,
    cells: `
                          | an  st  bm  vi  ad  nm  mb  vs
      own account         | -   ok  ok  ok  ok  ok  ok  -
      another's account   | 404 404 404 404 ok  404 404 404`,
  },
  {
    // Only administrators, about one person or in general. The refusal tells nothing about rows.
    operations: administrationOperations,
    cells: `
                          | an  st  bm  vi  ad  nm  mb  vs
      another's account   | 403 403 403 403 ok  403 403 403`,
  },
];

export const administrationOverOneProtocol: OneProtocol[] = [
  {
    operations: endings,
    kinds: ['own account', "another's account"],
    protocol: 'GraphQL',
    reason: 'REST has no operations for what acts in the name of a person.',
  },
  {
    operations: administrationOperations,
    kinds: ["another's account"],
    protocol: 'GraphQL',
    reason: 'REST has no operations for administrators of people, roles and projects.',
  },
];
