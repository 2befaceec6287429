/** Projects in the graph. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { Project } from '../models/project.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { found } from './found.js';

@Resolver(() => Project)
export class ProjectResolver {
  @Query(() => Project, {
    nullable: true,
    description:
      'Returns one project. Visible are public projects and those of which the caller is a ' +
      'member; administrators see all. Null with the error NOT_FOUND if it is missing or not visible.',
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
}
