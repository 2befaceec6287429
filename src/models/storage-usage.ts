/** The storage that the files of projects use, as triggers count it. */
import type { Knex } from 'knex';
import { Field, Int, ObjectType } from 'type-graphql';
import type { ContainerType } from '../contract/container-kinds.js';
import { ByteCount } from './byte-count.js';
import { ContainerTypes } from './container-type.js';
import { Project } from './project.js';

export const USAGE = 'project_usage';
/** What is not in the sums yet. */
export const USAGE_CHANGES = 'project_usage_changes';

export interface UsageRow {
  project_id: number;
  kind: ContainerType;
  bytes: number;
  files: number;
}

/** One statement sees both tables as they are at one moment. */
const counted = (knex: Knex) =>
  knex.from<UsageRow>(
    knex.raw(
      `(select project_id, kind, bytes, files from ${USAGE} union all` +
        ` select project_id, kind, bytes, files from ${USAGE_CHANGES}) as counted`,
    ),
  );

// PostgreSQL gives the sum of large numbers as text.
const BYTES = 'cast(sum(bytes) as bigint) as bytes';
const FILES = 'cast(sum(files) as integer) as files';

/** The usage of each project and kind. */
export const usageRows = (knex: Knex) =>
  counted(knex)
    .select('project_id', 'kind', knex.raw(BYTES), knex.raw(FILES))
    .groupBy('project_id', 'kind');

/** The usage of each kind in all projects. */
export const usageOfKinds = (knex: Knex) =>
  counted(knex).select('kind', knex.raw(BYTES), knex.raw(FILES)).groupBy('kind');

/** The projects that use most, in this order. */
export const largestProjects = (knex: Knex, limit: number) =>
  counted(knex)
    .select('project_id')
    .groupBy('project_id')
    .havingRaw('sum(bytes) > 0')
    .orderByRaw('sum(bytes) desc, project_id')
    .limit(limit);

@ObjectType({ description: 'What files of one kind of container use.', simpleResolvers: true })
export class KindUsage {
  @Field(() => ContainerTypes, { description: 'The kind of container.' })
  kind!: ContainerType;

  @Field(() => ByteCount, { description: 'Size in bytes.' })
  bytes!: number;

  @Field(() => Int, { description: 'Number of files.' })
  files!: number;
}

@ObjectType({ description: 'What files use.', simpleResolvers: true })
export class StorageUsage {
  @Field(() => ByteCount, { description: 'Size of all files in bytes.' })
  bytes!: number;

  @Field(() => Int, { description: 'Number of files.' })
  files!: number;

  @Field(() => [KindUsage], {
    description: 'By kind of container, the largest first. Kinds without files are not in it.',
  })
  kinds!: KindUsage[];
}

@ObjectType({ description: 'What the files of a project use.', simpleResolvers: true })
export class ProjectUsage extends StorageUsage {
  @Field(() => Project, { description: 'The project.' })
  project!: Project;
}

@ObjectType({ description: 'What the files of all projects use.', simpleResolvers: true })
export class AllUsage extends StorageUsage {
  declare projects: ProjectUsage[];
}

/** @param rows of one project, or of all */
export function usageOf(
  rows: readonly Omit<UsageRow, 'project_id'>[],
): Pick<StorageUsage, 'bytes' | 'files' | 'kinds'> {
  const kinds = new Map<ContainerType, KindUsage>();
  for (const { kind, bytes, files } of rows) {
    const former = kinds.get(kind);
    kinds.set(kind, {
      kind,
      bytes: bytes + (former?.bytes ?? 0),
      files: files + (former?.files ?? 0),
    });
  }
  return {
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    files: rows.reduce((sum, { files }) => sum + files, 0),
    kinds: [...kinds.values()].filter(({ files }) => files > 0).sort((a, b) => b.bytes - a.bytes),
  };
}
