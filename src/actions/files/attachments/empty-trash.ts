/** Empties the trash of a project, for administrators. */
import type { Context } from '../../../context.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { emptyTrashOf } from '../purge/empty-trash.js';

/** @returns the number of files @throws NotFound, MissingPermission */
export async function emptyTrash(context: Context, projectId: number | undefined): Promise<number> {
  const project = await demand(await find.project(context, projectId), () =>
    can.administer(context),
  );
  return emptyTrashOf(context, project.id);
}
