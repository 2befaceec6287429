/** Lists the meetings, forum posts or wiki pages of a project, sorted. */
import { containerKinds, type PlainContainer } from '../contract/container-kinds.js';
import type { ModelClass, QueryBuilder } from 'objection';
import type { Database } from '../database/index.js';
import type { ContainerRecord } from '../models/container.js';
import { containerModels } from '../models/containers.js';
import { idColumn, sorted, type Column, type List } from './list.js';

export interface ContainerOrder {
  by: (typeof containerOrders)[number];
  descends: boolean;
}

export const containerOrders = ['id', 'title', 'createdAt', 'updatedAt'] as const;

interface Contents {
  type: PlainContainer;
  projectId: number;
  /** Whether the caller may see them. Else the list is empty. */
  isVisible: boolean;
}

export function containerList<M extends ContainerRecord>(
  { db }: { db: Database },
  { type, projectId, isVisible }: Contents,
  order: ContainerOrder,
): List<M> {
  // Cast: the classes are listed by kind.
  const model = containerModels[type] as unknown as ModelClass<M>;
  const { tableName: table } = model;
  const columns: { [order in ContainerOrder['by']]: Column } = {
    id: idColumn(table),
    title: {
      sql: db.byCodePoint(`${table}.${containerKinds[type].nameColumn}`),
      type: 'text',
      isIndexed: false,
    },
    createdAt: { sql: `${table}.created_at`, type: 'text', isIndexed: false },
    updatedAt: { sql: `${table}.updated_at`, type: 'text', isIndexed: false },
  };
  return {
    // Cast: the compiler does not resolve the query builder of a generic model.
    rows: (knex) => model.query(knex) as unknown as QueryBuilder<M>,
    filters: () => [
      { text: `${table}.project_id = ?`, values: [projectId] },
      ...(isVisible ? [] : [{ text: '1 = 0', values: [] }]),
    ],
    starts: [
      [{ text: `select ${table}.id from ${table} where project_id = ?`, values: [projectId] }],
    ],
    order: sorted(columns, [order]),
  };
}
