import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { idOf } from '../contract/ids.js';
import { Project } from '../models/project.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';

@Resolver(() => Project)
export class ProjectResolver {
  @Query(() => Project, { description: 'One project. NOT_FOUND where it is missing or not visible.' })
  async project(@Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string, @Ctx() context: Context): Promise<Project> {
    const project = await find.project(context, idOf('Project', id));
    if (!project) throw new NotFound();
    return project;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may make work packages in it.' })
  viewerCanCreateWorkPackage(@Root() { id }: Project, @Ctx() context: Context): boolean | Promise<boolean> {
    return can.create(context, 'WorkPackage', id);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may make meetings in it.' })
  viewerCanCreateMeeting(@Root() { id }: Project, @Ctx() context: Context): boolean | Promise<boolean> {
    return can.create(context, 'Meeting', id);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may make forum posts in it.' })
  viewerCanCreatePost(@Root() { id }: Project, @Ctx() context: Context): boolean | Promise<boolean> {
    return can.create(context, 'Post', id);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may make wiki pages in it.' })
  viewerCanCreateWikiPage(@Root() { id }: Project, @Ctx() context: Context): boolean | Promise<boolean> {
    return can.create(context, 'WikiPage', id);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may say which storages it uses.' })
  viewerCanAdministerStorages(@Root() { id }: Project, @Ctx() context: Context): boolean | Promise<boolean> {
    return can.administerStorages(context, id);
  }
}
