/** The files of which a notification tells. */
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description:
    'Files and file links that one person has added to a work package, or to its comments.',
})
export class AddedFiles {
  @Field(() => Int, { description: 'How many they are.' })
  totalCount!: number;

  @Field(() => [String], {
    description:
      'The names that the first ten had then, in the order in which they came. Files of comments ' +
      'have the names of now.',
  })
  names!: string[];
}
