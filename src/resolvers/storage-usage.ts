/** What all files use, for administrators only. */
import { Arg, Ctx, FieldResolver, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../context.js';
import { InvalidQuery } from '../contract/errors.js';
import { fieldWeights } from '../contract/field-weights.js';
import { MAX_PAGE, USUAL_PAGE } from '../contract/limits.js';
import {
  AllUsage,
  largestProjects,
  ProjectUsage,
  usageOf,
  usageOfKinds,
} from '../models/storage-usage.js';
import { demandAdmin } from '../policies/can.js';
import { ADMINS } from './schema-phrases.js';

@Resolver(() => AllUsage)
export class StorageUsageResolver {
  @Query(() => AllUsage, {
    complexity: fieldWeights.searched,
    description:
      'Returns what the files of all projects use, also those in the trash and uploads that have ' +
      'not ended. Copies count each. Previews, pictures of people and files without a container ' +
      `do not count. Errors: ${ADMINS}. Access tokens of applications are refused.`,
  })
  async storageUsage(@Ctx() context: Context): Promise<ReturnType<typeof usageOf>> {
    demandAdmin(context);
    return usageOf(await usageOfKinds(context.db.read));
  }

  @FieldResolver(() => [ProjectUsage], {
    complexity: fieldWeights.searched,
    description: 'The projects that use most, the largest first.',
  })
  async projects(
    @Arg('first', () => Int, {
      defaultValue: USUAL_PAGE,
      description: `Number of projects, 0 to ${MAX_PAGE}. Error: INVALID_QUERY for another number.`,
    })
    first: number,
    @Ctx() context: Context,
  ): Promise<ProjectUsage[]> {
    demandAdmin(context);
    if (first < 0 || first > MAX_PAGE)
      throw new InvalidQuery(`The argument "first" must be from 0 to ${MAX_PAGE}.`, 'first');
    const rows: { project_id: number }[] = await largestProjects(context.db.read, first);
    const usages = await Promise.all(
      rows.map(async ({ project_id: id }) => {
        const project = await context.loaders.projects.load(id);
        return project && { ...usageOf(await context.loaders.storageUsage.load(id)), project };
      }),
    );
    return usages.filter((usage) => usage !== null && usage !== undefined);
  }
}
