/** The arguments of lists of attachments. */
import { ArgsType, Field, ID, InputType, registerEnumType } from 'type-graphql';
import { demandFew } from '../actions/storages/projects/list-project-storages.js';
import { InvalidQuery } from '../contract/errors.js';
import { MAX_SEARCH } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import { attachmentOrders, type AttachmentFilter as Condition } from '../lists/attachments.js';
import { searchWords } from '../lists/search-words.js';
import { AttachmentStatus } from '../models/attachment.js';
import { idsOf } from './id-lists.js';
import { describedOrders, ordersOf, PagingArgs } from './list-arguments.js';

export const AttachmentOrders = ordersOf(attachmentOrders);
registerEnumType(AttachmentOrders, {
  name: 'AttachmentOrder',
  description: 'Order of attachments. Names of files are sorted by code point.',
  valuesConfig: describedOrders(AttachmentOrders),
});

@InputType({ description: 'Files of a container. Members narrow the list together.' })
class AttachmentFilter {
  @Field(() => [String], {
    nullable: true,
    description:
      'Only of these media types, such as `image/png`, or `image/*` for all images: at most ' +
      '1,000. Error: INVALID_QUERY for another value.',
  })
  contentTypes?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      'Only of these people: at most 1,000 global ids or integer ids. ' +
      'Error: INVALID_QUERY for another value. Unknown people have no files.',
  })
  authorIds?: string[] | null;

  @Field(() => [AttachmentStatus], { nullable: true, description: 'Only with these states.' })
  statuses?: AttachmentStatus[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Every word must be in a word of the file name. Case and accents do not matter. ' +
      `At most ${withCommas(MAX_SEARCH)} characters and 10 words; error: INVALID_QUERY.`,
  })
  search?: string | null;
}

@ArgsType()
export class AttachmentArgs extends PagingArgs {
  @Field(() => AttachmentFilter, { nullable: true, description: 'Only these.' })
  filter?: AttachmentFilter | null;

  @Field(() => AttachmentOrders, {
    nullable: true,
    description: 'Order of the list. The id is the second order. Default: see the field.',
  })
  orderBy?: string | null;
}

/** @returns undefined if the list is not filtered. @throws InvalidQuery */
export function conditionOf({ filter }: AttachmentArgs): Condition | undefined {
  const { contentTypes, authorIds, statuses, search } = filter ?? {};
  const words = searchWords(search);
  if (!contentTypes && !authorIds && !statuses && words.length === 0) return undefined;
  for (const values of [contentTypes, authorIds, statuses]) demandFew(values, 'filters');
  return {
    contentTypes: contentTypes?.map((value) => mediaType(value)),
    authorIds: idsOf('User', authorIds)?.map(authorId),
    statuses: statuses ?? undefined,
    words,
  };
}

const MEDIA_TYPE = /^[a-z0-9][\w.+-]*\/([a-z0-9][\w.+-]*|\*)$/;

/** A media type; all of a kind, such as `image/`, for `image/*`. @throws InvalidQuery */
export function mediaType(value: string, filter = 'contentTypes'): string {
  const type = value.toLowerCase();
  if (type.length > 255 || !MEDIA_TYPE.test(type))
    throw new InvalidQuery(`Filter ${filter} has a value that is no media type.`, 'filters');
  return type.endsWith('*') ? type.slice(0, -1) : type;
}

/** @throws InvalidQuery */
function authorId(id: number | undefined): number {
  if (id === undefined)
    throw new InvalidQuery('Filter authorIds has a value that is no id.', 'filters');
  return id;
}
