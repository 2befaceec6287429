import { Record } from './record.js';

/** A named set of permissions. `Non member` and `Anonymous` are what non-members and visitors have in public projects. */
export class Role extends Record {
  static override tableName = 'roles';
  declare name: string;
}

export const NON_MEMBER = 'Non member';
export const ANONYMOUS = 'Anonymous';
