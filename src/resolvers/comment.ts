/** Comments and other activities of work packages in the graph. */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { changeComment } from '../actions/containers/changes/change-comment.js';
import { deleteContainer } from '../actions/containers/changes/delete-container.js';
import { writeComment } from '../actions/containers/changes/write-comment.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { MAX_COMMENT } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import { thenMaybe, type MaybePromise } from '../concurrency/maybe-promise.js';
import { Activity } from '../models/activity.js';
import { Formattable } from '../models/formattable.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { ForApplications } from './for-applications.js';
import { found } from './found.js';
import { idsOf } from './id-lists.js';
import { NOTIFY } from './schema-phrases.js';

@InputType({ description: 'A new comment.' })
export class CreateCommentInput {
  @Field(() => ID, { description: 'Global id or integer id of the work package.' })
  workPackageId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      `Required. The text as Markdown, 1 to ${withCommas(MAX_COMMENT)} characters. ` +
      "It claims the caller's unclaimed attachments to which it links " +
      '(`/api/v3/attachments/{id}/content`).',
  })
  comment?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether only users who may view internal comments see the comment.',
  })
  internal!: boolean;

  @Field(() => [ID], {
    nullable: true,
    description:
      'Global ids or integer ids of unclaimed attachments of the caller. The comment claims them.',
  })
  attachmentIds?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: NOTIFY })
  notify?: boolean | null;
}

@InputType({ description: 'Changes of a comment. Omitted members stay unchanged.' })
export class UpdateCommentInput {
  @Field(() => ID, { description: 'Global id or integer id of the activity.' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description:
      `The new text as Markdown, 1 to ${withCommas(MAX_COMMENT)} characters. ` +
      'New links claim attachments, ' +
      'as in `createComment`.',
  })
  comment?: string | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      'Global ids or integer ids: the complete new set of attachments. ' +
      'Attachments of the comment that are not in the list are deleted. ' +
      'Unclaimed attachments in the list are claimed.',
  })
  attachmentIds?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: NOTIFY })
  notify?: boolean | null;
}

@InputType({ description: 'The comment to delete.' })
export class DeleteCommentInput {
  @Field(() => ID, { description: 'Global id or integer id of the activity.' })
  id!: string;
}

@ObjectType({ description: 'The result of `createComment`.', simpleResolvers: true })
export class CreateCommentPayload {
  @Field(() => Activity, { description: 'The new comment.' })
  comment!: Activity;
}

@ObjectType({ description: 'The result of `updateComment`.', simpleResolvers: true })
export class UpdateCommentPayload {
  @Field(() => Activity, { description: 'The changed comment.' })
  comment!: Activity;
}

@ObjectType({ description: 'The result of `deleteComment`.', simpleResolvers: true })
export class DeleteCommentPayload {
  @Field(() => ID, { description: 'Global id of the deleted activity.' })
  deletedActivityId!: string;
}

@Resolver(() => Activity)
export class CommentResolver {
  @Query(() => Activity, {
    nullable: true,
    description:
      'Returns one activity. Null with the error NOT_FOUND if it is missing or not visible.',
  })
  async activity(
    @Arg('id', () => ID, { description: 'Global id or integer id of the activity.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Activity> {
    return (await found(find.container(context, 'Activity', idOf('Activity', id)))) as Activity;
  }

  @ForApplications()
  @Mutation(() => CreateCommentPayload, {
    description:
      'Writes a comment on a work package. ' +
      'Errors: NOT_FOUND if the work package is missing or not visible; ' +
      'MISSING_PERMISSION without the permission to comment, and for an internal comment ' +
      'without the permission to view those; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for an invalid text or attachment.',
  })
  async createComment(
    @Arg('input', () => CreateCommentInput, { description: 'The comment.' })
    { workPackageId, comment, internal, attachmentIds, notify }: CreateCommentInput,
    @Ctx() context: Context,
  ): Promise<CreateCommentPayload> {
    const attachments = idsOf('Attachment', attachmentIds);
    const text = { comment, internal, attachments, notifies: notify ?? true };
    return { comment: await writeComment(context, idOf('WorkPackage', workPackageId), text) };
  }

  @ForApplications()
  @Mutation(() => UpdateCommentPayload, {
    description:
      'Changes a comment. Authors need the permission to comment, others that to edit work ' +
      'packages. Records of changes cannot be changed. ' +
      'Errors: NOT_FOUND if the comment is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for an invalid text or attachment.',
  })
  async updateComment(
    @Arg('input', () => UpdateCommentInput, { description: 'The changes.' })
    { id, comment, attachmentIds, notify }: UpdateCommentInput,
    @Ctx() context: Context,
  ): Promise<UpdateCommentPayload> {
    const attachments = idsOf('Attachment', attachmentIds);
    const text = { comment, attachments, notifies: notify ?? true };
    return { comment: await changeComment(context, idOf('Activity', id), text) };
  }

  @ForApplications()
  @Mutation(() => DeleteCommentPayload, {
    description:
      'Deletes a comment with its attachments. Permissions are those of `updateComment`. ' +
      'Errors: NOT_FOUND if the comment is missing or not visible; MISSING_PERMISSION.',
  })
  async deleteComment(
    @Arg('input', () => DeleteCommentInput, { description: 'The comment.' })
    { id }: DeleteCommentInput,
    @Ctx() context: Context,
  ): Promise<DeleteCommentPayload> {
    const deleted = await deleteContainer(context, 'Activity', idOf('Activity', id));
    return { deletedActivityId: globalId('Activity', deleted.id) };
  }

  @FieldResolver(() => [Formattable], {
    description:
      'The recorded changes, one sentence each. Empty for a comment. ' +
      'Changes of file links are included only if the caller may view file links.',
  })
  details(@Root() activity: Activity, @Ctx() context: Context): MaybePromise<Formattable[]> {
    return activity.mentionsFileLinks
      ? thenMaybe(can.viewFileLinks(context, activity.projectId), (may) => activity.sentences(may))
      : activity.sentences(false);
  }

  @FieldResolver(() => WorkPackage, { description: 'The work package of the activity.' })
  async workPackage(
    @Root() { workPackageId }: Activity,
    @Ctx() { loaders }: Context,
  ): Promise<WorkPackage> {
    const ref = { type: 'WorkPackage', id: workPackageId } as const;
    return (await found(loaders.containers.load(ref))) as WorkPackage;
  }
}
