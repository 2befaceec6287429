/** Lists the meetings, forum posts or wiki pages of a project, sorted. */
import { containerKinds, type PlainContainer } from '../contract/container-kinds.js';
import type { Database } from '../database/index.js';
import type { ContainerRecord } from '../models/container.js';
import { containerModels } from '../models/containers.js';
import type { OrderColumn, OrderedList } from './ordered-list.js';

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
  { by, descends }: ContainerOrder,
): OrderedList<M> {
  // Cast: the classes are listed by kind.
  const model = containerModels[type] as unknown as OrderedList<M>['model'];
  const { tableName: table } = model;
  const columns: { [order in ContainerOrder['by']]: Omit<OrderColumn, 'descends'> } = {
    id: { sql: `${table}.id`, type: 'number', isIndexed: true },
    title: {
      sql: db.byCodePoint(`${table}.${containerKinds[type].nameColumn}`),
      type: 'string',
      isIndexed: false,
    },
    createdAt: { sql: `${table}.created_at`, type: 'string', isIndexed: false },
    updatedAt: { sql: `${table}.updated_at`, type: 'string', isIndexed: false },
  };
  return {
    model,
    filters: [
      { text: `${table}.project_id = ?`, values: [projectId] },
      ...(isVisible ? [] : [{ text: '1 = 0', values: [] }]),
    ],
    starts: [
      [{ text: `select ${table}.id from ${table} where project_id = ?`, values: [projectId] }],
    ],
    order: [{ ...columns[by], descends }, ...(by === 'id' ? [] : [{ ...columns.id, descends }])],
  };
}
