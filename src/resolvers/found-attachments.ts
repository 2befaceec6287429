/** The list of all attachments in the graph. */
import { Args, ArgsType, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import { listAttachments } from '../actions/containers/lists/list-attachments.js';
import type { Context } from '../context.js';
import type { ContainerType } from '../contract/container-kinds.js';
import { InvalidQuery } from '../contract/errors.js';
import { fieldWeights } from '../contract/field-weights.js';
import { MAX_SEARCH } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import type { AttachmentOrder } from '../lists/attachments.js';
import { ContainerTypes } from '../models/container-type.js';
import { DateTime } from '../models/date-time.js';
import { AttachmentConnection } from '../models/relay-connection.js';
import { AttachmentOrders, mediaType } from './attachment-arguments.js';
import { searchedConnection } from './connections.js';
import { idsOf } from './id-lists.js';
import { orderOf, PagedArgs } from './list-arguments.js';

const IDS =
  'at most 1,000 global ids or integer ids. Error: INVALID_QUERY for one that is not visible.';

/** Each kind is one more read of an index. */
const MOST_TYPES = 20;

@InputType({ description: 'Files of all containers. Members narrow the list together.' })
class FoundAttachmentFilter {
  @Field(() => [ContainerTypes], {
    nullable: true,
    description: 'Only files of these kinds of containers.',
  })
  containerTypes?: ContainerType[] | null;

  @Field(() => [ID], { nullable: true, description: `Only in these projects: ${IDS}` })
  projectIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only of these authors: ${IDS}` })
  authorIds?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: `Only of these work packages and of their comments: ${IDS}`,
  })
  workPackageIds?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Only of one of these media types, such as `image/png`, or `image/*` for all images: at ' +
      `most ${MOST_TYPES}. Error: INVALID_QUERY for another value.`,
  })
  contentTypes?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The same as `contentTypes` with one value. Error: INVALID_QUERY for another value.',
  })
  contentType?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only created at this time or later.' })
  createdAfter?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only created at this time or earlier.' })
  createdBefore?: string | null;
}

/** Each list of types that a file has one of. @throws InvalidQuery */
function typesOf({ contentType, contentTypes }: FoundAttachmentFilter): string[][] {
  if (contentTypes && contentTypes.length > MOST_TYPES)
    throw new InvalidQuery(`Filter contentTypes takes ${MOST_TYPES} values at most.`, 'filters');
  return [
    ...(contentTypes ? [contentTypes.map((type) => mediaType(type))] : []),
    ...(typeof contentType === 'string' ? [[mediaType(contentType, 'contentType')]] : []),
  ];
}

@ArgsType()
class FoundAttachmentArgs extends PagedArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'Every word must be in a word of the file name or the description. ' +
      'Case and accents do not matter. ' +
      `At most ${withCommas(MAX_SEARCH)} characters and 10 words; error: INVALID_QUERY.`,
  })
  search?: string | null;

  @Field(() => FoundAttachmentFilter, { nullable: true, description: 'Only these.' })
  filter?: FoundAttachmentFilter | null;

  @Field(() => AttachmentOrders, {
    defaultValue: AttachmentOrders['ID_DESC'],
    description: 'Order of the list. The id is the second order.',
  })
  orderBy!: string;
}

@Resolver()
export class FoundAttachmentsResolver {
  @Query(() => AttachmentConnection, {
    complexity: fieldWeights.filesSearched,
    description:
      'Returns the files of all containers that the caller sees. Unclaimed files and prepared ' +
      'uploads are left out. Error: INVALID_QUERY.',
  })
  attachments(@Args(() => FoundAttachmentArgs) args: FoundAttachmentArgs, @Ctx() context: Context) {
    const { projectIds, authorIds, workPackageIds, createdAfter, createdBefore, ...filter } =
      args.filter ?? {};
    const query = {
      search: args.search,
      containerTypes: filter.containerTypes ?? undefined,
      projectIds: idsOf('Project', projectIds),
      authorIds: idsOf('User', authorIds),
      workPackageIds: idsOf('WorkPackage', workPackageIds),
      contentTypes: typesOf(filter),
      createdAt: { from: createdAfter, until: createdBefore },
    };
    return searchedConnection(context, args, () =>
      listAttachments(context, query, orderOf<AttachmentOrder>(args.orderBy)),
    );
  }
}
