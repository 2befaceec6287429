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
  description: 'Whether a project has a folder of its own in a storage.',
  valuesConfig: {
    inactive: { description: 'It has none.' },
    manual: { description: 'One that somebody chose.' },
    automatic: { description: 'One that is managed with the application password.' },
  },
});

@ObjectType({
  implements: Node,
  description: 'A storage as a project uses it.',
  simpleResolvers: true,
})
export class ProjectStorage extends Record {
  static override tableName = 'project_storages';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => ProjectFolderMode, {
    description: 'Whether the project has a folder of its own there.',
  })
  declare projectFolderMode: ProjectFolderMode;

  @Field(() => String, { nullable: true, description: 'Id of that folder in the storage.' })
  declare projectFolderId: string | null;

  @Field(() => DateTime, { description: 'When the project got the storage.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it was last changed.' })
  declare updatedAt: string;

  declare projectId: number;
  declare storageId: number;
  declare creatorId: number;
}
