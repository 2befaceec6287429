/** Statuses and types of work packages in the graph. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { MissingPermission } from '../contract/errors.js';
import { fieldWeights } from '../contract/field-weights.js';
import { idOf } from '../contract/ids.js';
import { Project } from '../models/project.js';
import { Status } from '../models/status.js';
import { Type } from '../models/type.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { visible } from '../policies/visible.js';
import { found } from './found.js';
import { counted } from './counted.js';

const PERMISSION =
  'Error: MISSING_PERMISSION if the caller may view or create work packages in no project.';
const NOT_FOUND =
  'Errors: NOT_FOUND; ' +
  'MISSING_PERMISSION if the caller may neither view nor create work packages.';

/** @throws MissingPermission */
async function demandKinds(context: Context): Promise<void> {
  if (!(await can.viewStatusesAndTypes(context))) throw new MissingPermission();
}

@Resolver(() => Status)
export class StatusResolver {
  @Query(() => [Status], {
    description: `Returns all statuses in their order. ${PERMISSION}`,
  })
  async statuses(@Ctx() context: Context): Promise<Status[]> {
    await demandKinds(context);
    const read = async () =>
      visible.statuses(context.user, context.db.read).orderBy('position').orderBy('id').limit(MOST);
    return counted(context, read, (rows) => rows.length);
  }

  @Query(() => Status, { nullable: true, description: `Returns one status. ${NOT_FOUND}` })
  async status(
    @Arg('id', () => ID, { description: 'Global id or integer id of the status.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Status> {
    await demandKinds(context);
    return found(find.status(context, idOf('Status', id)));
  }
}

@Resolver(() => Type)
export class TypeResolver {
  @Query(() => [Type], { description: `Returns all types in their order. ${PERMISSION}` })
  async types(@Ctx() context: Context): Promise<Type[]> {
    await demandKinds(context);
    const read = async () =>
      visible.types(context.user, context.db.read).orderBy('position').orderBy('id').limit(MOST);
    return counted(context, read, (rows) => rows.length);
  }

  @Query(() => Type, { nullable: true, description: `Returns one type. ${NOT_FOUND}` })
  async type(
    @Arg('id', () => ID, { description: 'Global id or integer id of the type.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Type> {
    await demandKinds(context);
    return found(find.type(context, idOf('Type', id)));
  }
}

@Resolver(() => Project)
export class ProjectTypesResolver {
  @FieldResolver(() => [Type], {
    complexity: fieldWeights.counted,
    description:
      'The types that work packages of the project can have, in their order. ' +
      'Error: MISSING_PERMISSION if the caller may not view work packages there.',
  })
  async types(@Root() { id }: Project, @Ctx() context: Context): Promise<Type[]> {
    if (!(await can.viewWorkPackages(context, id))) throw new MissingPermission();
    return counted(
      context,
      () => context.loaders.projectTypes.load(id),
      (rows) => rows.length,
    );
  }
}

/** The directory has far fewer. */
const MOST = 1_000;
