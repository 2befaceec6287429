/** Filters of several lists: by names and by times. */
import { Field, InputType } from 'type-graphql';
import { DateTime } from '../models/date-time.js';

const NAMES = 'at most 20. Error: INVALID_QUERY for more.';

@InputType({ description: 'A name. Case and accents do not matter. Members apply together.' })
export class TextFilter {
  @Field(() => [String], { nullable: true, description: `One of these names: ${NAMES}` })
  oneOf?: string[] | null;

  @Field(() => [String], { nullable: true, description: `None of these names: ${NAMES}` })
  noneOf?: string[] | null;

  @Field(() => String, { nullable: true, description: 'The text is in the name.' })
  contains?: string | null;

  @Field(() => String, { nullable: true, description: 'The text is not in the name.' })
  lacks?: string | null;
}

@InputType({ description: 'A range of times. Both ends belong to it.' })
export class TimeRange {
  @Field(() => DateTime, { nullable: true, description: 'The earliest time.' })
  from?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'The latest time.' })
  until?: string | null;
}
