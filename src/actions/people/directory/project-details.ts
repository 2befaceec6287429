/** Imports the types and the parents of projects. */
import { Project } from '../../../models/project.js';
import { requireId, type ImportJob, type ValidRow } from './job.js';
import { insert, slices, withOtherItems } from './write.js';

interface ProjectRow {
  identifier: string;
  parent?: string | null | undefined;
  types?: string[] | undefined;
}

type Rows = readonly ValidRow<ProjectRow>[];

export async function writeProjectTypes(job: ImportJob, rows: Rows): Promise<void> {
  const limited = rows.flatMap(({ path, project, row: { types } }) => {
    if (!types) return [];
    for (const [index, name] of types.entries())
      if (!job.typeIds.has(name))
        job.reject(`${path}.types[${index}]`, `there is no type named ${JSON.stringify(name)}`);
    return [
      {
        id: job.projectId(project),
        items: new Set(types.flatMap((name) => job.typeIds.get(name) ?? [])),
      },
    ];
  });
  if (job.badCount > 0) return;
  const place = { table: 'project_types', owner: 'project_id', item: 'type_id' };
  for (const slice of slices(limited)) {
    const changed = await withOtherItems(job, place, slice);
    await job
      .trx('project_types')
      .delete()
      .whereIn(
        'project_id',
        changed.map(({ id }) => id),
      );
    await insert(
      job,
      'project_types',
      changed.flatMap(({ id, items }) =>
        [...items].map((type) => ({ project_id: id, type_id: type })),
      ),
    );
  }
}

/** Call it after all projects of the file are written. */
export async function writeParents(job: ImportJob, rows: Rows): Promise<void> {
  const given = rows.filter(({ row: { parent } }) => parent !== undefined);
  if (given.length === 0) return;
  const parents = new Map(
    (await Project.query(job.trx).select('id', 'identifier', 'parent_id')).map(
      ({ id, identifier, parentId }) => [identifier, { id, parentId }],
    ),
  );
  const parentOf = new Map([...parents.values()].map(({ id, parentId }) => [id, parentId]));
  const changed: { path: string; id: number; parentId: number | null }[] = [];
  for (const { path, row } of given) {
    const own = requireId(parents.get(row.identifier)?.id, row.identifier);
    const parent = row.parent ? parents.get(row.parent) : undefined;
    if (row.parent && !parent) {
      job.reject(`${path}.parent`, `there is no project ${JSON.stringify(row.parent)}`);
      continue;
    }
    if (parentOf.get(own) === (parent?.id ?? null)) continue;
    parentOf.set(own, parent?.id ?? null);
    changed.push({ path, id: own, parentId: parent?.id ?? null });
  }
  for (const { path, id } of changed)
    if (isInCircle(parentOf, id)) job.reject(`${path}.parent`, 'the project is its own ancestor');
  if (job.badCount > 0) return;
  for (const { id, parentId } of changed)
    await job.trx('projects').update({ parent_id: parentId, updated_at: job.now }).where({ id });
}

function isInCircle(parentOf: ReadonlyMap<number, number | null>, id: number): boolean {
  const seen = new Set<number>();
  for (let at: number | null = id; at !== null; at = parentOf.get(at) ?? null) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}
