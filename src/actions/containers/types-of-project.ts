/** Reads the types that work packages of a project can have. */
import type { Context } from '../../context.js';
import { Type } from '../../models/type.js';

/** In the order of all types. A project that names no types has all. */
export async function typesOf({ db }: Pick<Context, 'db'>, projectId: number): Promise<Type[]> {
  const named = await Type.query(db.read)
    .join('project_types', 'project_types.type_id', 'types.id')
    .where('project_types.project_id', projectId)
    .select('types.*')
    .orderBy('position')
    .orderBy('types.id');
  return named.length > 0 ? named : Type.query(db.read).orderBy('position').orderBy('id');
}
