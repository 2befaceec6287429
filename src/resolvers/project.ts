import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { idOf } from '../contract/ids.js';
import { Project } from '../models/project.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';

@Resolver(() => Project)
export class ProjectResolver {
  @Query(() => Project, {
    description: 'One project. NOT_FOUND where it is missing or not visible.',
  })
  async project(
    @Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Project> {
    const project = await find.project(context, idOf('Project', id));
    if (!project) throw new NotFound();
    return project;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may say which storages it uses.',
  })
  viewerCanAdministerStorages(
    @Root() { id }: Project,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.administerStorages(context, id);
  }
}
