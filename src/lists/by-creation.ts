/** Lists without parents that are sorted by creation only. */
import type { QueryBuilder } from 'objection';
import type { Record } from '../models/record.js';
import { Attachment } from '../models/attachment.js';
import { Storage } from '../models/storage.js';
import { Webhook } from '../models/webhook.js';
import { visible } from '../policies/visible.js';
import { byCreation, type List } from './list.js';
import { fixed } from './statement.js';

/** The storages that the caller sees, newest first. */
export const storages = fixed<Storage>({
  rows: (db, user) => visible.storages(user, db),
  order: byCreation(Storage.tableName, 'desc'),
});

/** All quarantined files, oldest first. Only for administrators. */
export const quarantined = fixed<Attachment>({
  rows: (db) => Attachment.query(db).where('phase', 'kept').whereRaw("status = 'quarantined'"),
  order: byCreation(Attachment.tableName, 'asc'),
});

/** All webhooks, oldest first. Only for administrators. */
export const webhooks = fixed<Webhook>({
  rows: (db) => Webhook.query(db),
  order: byCreation(Webhook.tableName, 'asc'),
});

/** The list of a query that is made for each read. */
export const listOf = <M extends Record>(
  rows: () => QueryBuilder<M>,
  direction: 'asc' | 'desc',
): List<M> => ({
  rows,
  order: byCreation(rows().modelClass().tableName, direction),
});
