/** The arguments of lists of project storages. */
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { PagedArgs } from './list-arguments.js';

@InputType({ description: 'Storages of projects. Members narrow the list together.' })
class ProjectStorageFilter {
  @Field(() => [ID], {
    nullable: true,
    description:
      'Only those of these projects: at most 1,000 global ids or integer ids. ' +
      'Error: INVALID_QUERY if a project is missing or not visible, or for more ids.',
  })
  projectIds?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      'Only those of these storages: at most 1,000 global ids or integer ids. ' +
      'Error: INVALID_QUERY for more.',
  })
  storageIds?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Only those of storages at these addresses (`Storage.origin`), at most 1,000. ' +
      'Error: INVALID_QUERY for more.',
  })
  storageUrls?: string[] | null;
}

@ArgsType()
export class ProjectStorageArgs extends PagedArgs {
  @Field(() => ProjectStorageFilter, { nullable: true, description: 'Only these.' })
  filter?: ProjectStorageFilter | null;
}
