/** Projects in the graph. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { Project } from '../models/project.js';
import { Storage } from '../models/storage.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { found } from './found.js';
import { counted } from './paging.js';

@Resolver(() => Project)
export class ProjectResolver {
  @Query(() => Project, {
    description:
      'Returns one project. Visible are public projects and those of which the caller is a ' +
      'member; administrators see all. Error: NOT_FOUND if it is missing or not visible.',
  })
  project(
    @Arg('id', () => ID, { description: 'Global id or integer id of the project.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Project> {
    return found(find.project(context, idOf('Project', id)));
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the caller may add storages to the project and remove them ' +
      '(`createProjectStorage`, `deleteProjectStorage`).',
  })
  viewerCanAdministerStorages(
    @Root() { id }: Project,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.administerStorages(context, id);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may view the file links and the storages of the project.',
  })
  viewerCanViewFileLinks(
    @Root() { id }: Project,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.viewFileLinks(context, id);
  }

  @FieldResolver(() => [Storage], {
    description:
      'The storages that the project uses, newest first. ' +
      'Empty unless the caller may view file links in the project.',
  })
  async storages(@Root() { id }: Project, @Ctx() context: Context): Promise<Storage[]> {
    if (!(await can.viewFileLinks(context, id))) return [];
    return counted(
      context,
      () => context.loaders.storagesOfProject.load(id),
      (storages) => storages.length,
    );
  }
}
