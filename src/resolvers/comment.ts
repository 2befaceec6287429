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
import { changeComment } from '../actions/containers/change-comment.js';
import { deleteContainer } from '../actions/containers/delete-container.js';
import { writeComment } from '../actions/containers/write-comment.js';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { globalId, idOf } from '../contract/ids.js';
import { after, type MaybePromise } from '../concurrency/maybe-promise.js';
import { Activity } from '../models/activity.js';
import { Formattable } from '../models/formattable.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';

@InputType({ description: 'A comment to write.' })
export class CreateCommentInput {
  @Field(() => ID, { description: 'The work package, in either form.' })
  workPackageId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The text, Markdown, at most 65,536 characters. Required: a blank one is a PropertyConstraintViolation. Own unclaimed attachments that it links to are claimed.',
  })
  comment?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether only people who may view internal comments see it.',
  })
  internal!: boolean;

  @Field(() => [ID], {
    nullable: true,
    description: 'Unclaimed attachments to claim, ids in either form.',
  })
  attachmentIds?: string[] | null;
}

@InputType({ description: 'A comment to change. Absent members stay as they are.' })
export class UpdateCommentInput {
  @Field(() => ID, { description: 'The activity, in either form.' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The new text, Markdown, at most 65,536 characters.',
  })
  comment?: string | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      'The complete new set of attachments: missing ones are deleted, new ones claimed. Ids in either form.',
  })
  attachmentIds?: string[] | null;
}

@InputType({ description: 'The comment to delete.' })
export class DeleteCommentInput {
  @Field(() => ID, { description: 'The activity, in either form.' })
  id!: string;
}

@ObjectType({ description: 'Answer of createComment.', simpleResolvers: true })
export class CreateCommentPayload {
  @Field(() => Activity, { description: 'The comment.' })
  activity!: Activity;
}

@ObjectType({ description: 'Answer of updateComment.', simpleResolvers: true })
export class UpdateCommentPayload {
  @Field(() => Activity, { description: 'The comment.' })
  activity!: Activity;
}

@ObjectType({ description: 'Answer of deleteComment.', simpleResolvers: true })
export class DeleteCommentPayload {
  @Field(() => ID, { description: 'Global id of the activity that is gone.' })
  deletedActivityId!: string;
}

@Resolver(() => Activity)
export class CommentResolver {
  @Query(() => Activity, {
    description: 'One activity. NOT_FOUND where it is missing or not visible.',
  })
  async activity(
    @Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Activity> {
    const activity = await find.container(context, 'Activity', idOf('Activity', id));
    if (!activity) throw new NotFound();
    return activity as Activity;
  }

  @Mutation(() => CreateCommentPayload, { description: 'Writes a comment on a work package.' })
  async createComment(
    @Arg('input', () => CreateCommentInput, { description: 'The comment.' })
    input: CreateCommentInput,
    @Ctx() context: Context,
  ): Promise<CreateCommentPayload> {
    const { workPackageId, comment, internal, attachmentIds } = input;
    return {
      activity: await writeComment(context, idOf('WorkPackage', workPackageId), {
        comment,
        internal,
        attachments: attachmentIdsOf(attachmentIds),
      }),
    };
  }

  @Mutation(() => UpdateCommentPayload, { description: 'Changes a comment.' })
  async updateComment(
    @Arg('input', () => UpdateCommentInput, { description: 'The changes.' })
    { id, comment, attachmentIds }: UpdateCommentInput,
    @Ctx() context: Context,
  ): Promise<UpdateCommentPayload> {
    return {
      activity: await changeComment(context, idOf('Activity', id), {
        comment,
        attachments: attachmentIdsOf(attachmentIds),
      }),
    };
  }

  @Mutation(() => DeleteCommentPayload, { description: 'Deletes a comment with its attachments.' })
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
      'The recorded changes, a sentence each; those of file links are told to people who may see them.',
  })
  details(@Root() activity: Activity, @Ctx() context: Context): MaybePromise<Formattable[]> {
    return activity.mentionsFileLinks
      ? after(can.viewFileLinks(context, activity.projectId), (may) => activity.sentences(may))
      : activity.sentences(false);
  }

  @FieldResolver(() => WorkPackage, { description: 'The work package it belongs to.' })
  async workPackage(
    @Root() { workPackageId }: Activity,
    @Ctx() { loaders }: Context,
  ): Promise<WorkPackage> {
    return (await loaders.containers.load({
      type: 'WorkPackage',
      id: workPackageId,
    })) as WorkPackage;
  }
}

/** The keys that `ID` arguments name; one that names nothing stays in the list and is refused by the claim. */
export const attachmentIdsOf = (
  ids: readonly string[] | null | undefined,
): (number | undefined)[] | undefined => ids?.map((id) => idOf('Attachment', id));
