/** Roles. */
import { Record } from './record.js';

/**
 * A named set of permissions.
 * In public projects, `Non member` applies to signed-in users without a membership, and `Anonymous`
 * to anonymous users.
 */
export class Role extends Record {
  static override tableName = 'roles';
  declare name: string;
}

export const NON_MEMBER = 'Non member';
export const ANONYMOUS = 'Anonymous';
