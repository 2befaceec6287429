/** The list of all attachments in the graph. */
import {
  Args,
  ArgsType,
  Ctx,
  Field,
  ID,
  InputType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { listAttachments } from '../actions/containers/lists/list-attachments.js';
import type { Context } from '../context.js';
import { containerKinds, containerTypes, type ContainerType } from '../contract/container-kinds.js';
import { fieldWeights } from '../contract/field-weights.js';
import { MAX_SEARCH } from '../contract/limits.js';
import { constantCase, withArticle, withCommas } from '../contract/words.js';
import type { AttachmentOrder } from '../lists/attachments.js';
import { DateTime } from '../models/date-time.js';
import { AttachmentConnection } from '../models/relay-connection.js';
import { AttachmentOrders, mediaType } from './attachment-arguments.js';
import { searchedConnection } from './connections.js';
import { idsOf } from './id-lists.js';
import { orderOf, PagedArgs } from './list-arguments.js';

const Types: { [name: string]: ContainerType } = Object.fromEntries(
  containerTypes.map((type) => [constantCase(type), type]),
);
registerEnumType(Types, {
  name: 'ContainerType',
  description: 'The kinds of containers of attachments.',
  valuesConfig: Object.fromEntries(
    Object.entries(Types).map(([name, type]) => [
      name,
      { description: `Files of ${withArticle(containerKinds[type].noun)}.` },
    ]),
  ),
});

const IDS =
  'at most 1,000 global ids or integer ids. Error: INVALID_QUERY for one that is not visible.';

@InputType({ description: 'Files of all containers. Members narrow the list together.' })
class FoundAttachmentFilter {
  @Field(() => [Types], {
    nullable: true,
    description: 'Only files of these kinds of containers.',
  })
  containerTypes?: ContainerType[] | null;

  @Field(() => [ID], { nullable: true, description: `Only in these projects: ${IDS}` })
  projectIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `Only of these authors: ${IDS}` })
  authorIds?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only of this media type, such as `image/png`, or `image/*` for all images. ' +
      'Error: INVALID_QUERY for another value.',
  })
  contentType?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only created at this time or later.' })
  createdAfter?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only created at this time or earlier.' })
  createdBefore?: string | null;
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
    complexity: fieldWeights.searched,
    description:
      'Returns the files of all containers that the caller sees. Unclaimed files and prepared ' +
      'uploads are left out. Error: INVALID_QUERY.',
  })
  attachments(@Args(() => FoundAttachmentArgs) args: FoundAttachmentArgs, @Ctx() context: Context) {
    const { projectIds, authorIds, contentType, createdAfter, createdBefore, ...filter } =
      args.filter ?? {};
    const query = {
      search: args.search,
      containerTypes: filter.containerTypes ?? undefined,
      projectIds: idsOf('Project', projectIds),
      authorIds: idsOf('User', authorIds),
      contentType:
        typeof contentType === 'string' ? mediaType(contentType, 'contentType') : undefined,
      createdAt: { from: createdAfter, until: createdBefore },
    };
    return searchedConnection(context, args, () =>
      listAttachments(context, query, orderOf<AttachmentOrder>(args.orderBy)),
    );
  }
}
