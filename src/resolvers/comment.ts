/** Comments and other activities of work packages in the graph. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { changeComment } from '../actions/containers/changes/change-comment.js';
import { deleteContainer } from '../actions/containers/changes/delete-container.js';
import { writeComment } from '../actions/containers/changes/write-comment.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { MAX_COMMENT } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import { thenMaybe, type MaybePromise } from '../concurrency/maybe-promise.js';
import { Activity, Change } from '../models/activity.js';
import { Formattable } from '../models/formattable.js';
import { WorkPackage } from '../models/work-package.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { claimed, completeSet, notify } from './container-members.js';
import { found } from './found.js';
import { idsOf } from './id-lists.js';
import { byDefault, idOfOne, mutation, optional, readIfSelected } from './mutation.js';

export const commentMutations = [
  mutation('createComment', {
    forApplications: true,
    description:
      'Writes a comment on a work package. ' +
      'Errors: NOT_FOUND if the work package is missing or not visible; ' +
      'MISSING_PERMISSION without the permission to comment, and for an internal comment ' +
      'without the permission to view those; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for an invalid text or attachment.',
    argument: 'The comment.',
    about: 'A new comment.',
    input: {
      workPackageId: idOfOne('work package'),
      comment: optional(
        String,
        `Required. The text as Markdown, 1 to ${withCommas(MAX_COMMENT)} characters. ` +
          "It claims the caller's unclaimed attachments to which it links " +
          '(`/api/v3/attachments/{id}/content`).',
      ),
      internal: byDefault(
        false,
        Boolean,
        'Whether only users who may view internal comments see the comment.',
      ),
      attachmentIds: claimed('comment'),
      notify,
    },
    payload: { comment: [Activity, 'The new comment.'] },
    run: async (input, context) => {
      const { workPackageId, comment, internal, attachmentIds, notify: notifies } = input;
      const attachments = idsOf('Attachment', attachmentIds);
      const text = { comment, internal, attachments, notifies: notifies ?? true };
      return { comment: await writeComment(context, idOf('WorkPackage', workPackageId), text) };
    },
  }),

  mutation('updateComment', {
    forApplications: true,
    description:
      'Changes a comment. Authors need the permission to comment, others that to edit work ' +
      'packages. Records of changes cannot be changed. ' +
      'Errors: NOT_FOUND if the comment is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for an invalid text or attachment.',
    argument: 'The changes.',
    about: 'Changes of a comment. Omitted members stay unchanged.',
    input: {
      id: idOfOne('activity'),
      comment: optional(
        String,
        `The new text as Markdown, 1 to ${withCommas(MAX_COMMENT)} characters. ` +
          'New links claim attachments, as in `createComment`.',
      ),
      attachmentIds: completeSet('comment'),
      notify,
    },
    payload: { comment: [Activity, 'The changed comment.'] },
    run: async ({ id, comment, attachmentIds, notify: notifies }, context) => {
      const attachments = idsOf('Attachment', attachmentIds);
      const text = { comment, attachments, notifies: notifies ?? true };
      return { comment: await changeComment(context, idOf('Activity', id), text) };
    },
  }),

  mutation('deleteComment', {
    forApplications: true,
    description:
      'Deletes a comment with its attachments. Permissions are those of `updateComment`. ' +
      'Errors: NOT_FOUND if the comment is missing or not visible; MISSING_PERMISSION.',
    argument: 'The comment.',
    about: 'The comment to delete.',
    input: { id: idOfOne('activity') },
    payload: {
      deletedActivityId: [ID, 'Global id of the deleted activity.'],
      workPackage: readIfSelected(WorkPackage, 'The work package, after the deletion.'),
    },
    run: async ({ id }, context) => {
      // Cast: the action has the type of all kinds.
      const deleted = (await deleteContainer(
        context,
        'Activity',
        idOf('Activity', id),
      )) as Activity;
      return {
        deletedActivityId: globalId('Activity', deleted.id),
        workPackage: () => find.workPackage(context, deleted.workPackageId),
      };
    },
  }),
];

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

  @FieldResolver(() => [Formattable], {
    description:
      'The recorded changes, one sentence each. Empty for a comment. ' +
      'Changes of file links are included only if the caller may view file links.',
  })
  details(@Root() activity: Activity, @Ctx() context: Context): MaybePromise<Formattable[]> {
    return thenMaybe(seesLinks(context, activity), (may) => activity.sentences(may));
  }

  @FieldResolver(() => [Change], {
    description:
      'The recorded changes. Empty for a comment. ' +
      'Changes of file links are included only if the caller may view file links.',
  })
  changes(@Root() activity: Activity, @Ctx() context: Context): MaybePromise<Change[]> {
    return thenMaybe(seesLinks(context, activity), (may) => activity.changesFor(may));
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

/** Asks only if the activity mentions links. */
const seesLinks = (context: Context, activity: Activity): MaybePromise<boolean> =>
  activity.mentionsFileLinks && can.viewFileLinks(context, activity.projectId);
