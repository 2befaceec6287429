/** Storages in projects. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

export enum ProjectFolderMode {
  inactive = 'inactive',
  manual = 'manual',
  automatic = 'automatic',
}
registerEnumType(ProjectFolderMode, {
  name: 'ProjectFolderMode',
  description: 'Whether and how a project has its own folder in a storage.',
  valuesConfig: {
    inactive: { description: 'There is no project folder.' },
    manual: { description: 'A person chose an existing folder.' },
    automatic: { description: 'The service manages the folder with the application password.' },
  },
});

@ObjectType({
  implements: Node,
  description: 'The use of a storage in a project.',
  simpleResolvers: true,
})
export class ProjectStorage extends Record {
  static override tableName = 'project_storages';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => ProjectFolderMode, {
    description: 'Mode of the project folder.',
  })
  declare projectFolderMode: ProjectFolderMode;

  @Field(() => String, { nullable: true, description: 'Id of the project folder in the storage.' })
  declare projectFolderId: string | null;

  @Field(() => DateTime, { description: 'When the storage was added to the project.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it last changed.' })
  declare updatedAt: string;

  declare projectId: number;
  declare storageId: number;
  declare creatorId: number;
}
