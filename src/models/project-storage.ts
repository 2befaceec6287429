/** Storages in projects. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

export enum ProjectFolderMode {
  INACTIVE = 'inactive',
  MANUAL = 'manual',
  AUTOMATIC = 'automatic',
}

export enum ProjectFolderState {
  INACTIVE = 'inactive',
  PENDING = 'pending',
  READY = 'ready',
  FAILED = 'failed',
}
registerEnumType(ProjectFolderState, {
  name: 'ProjectFolderState',
  description: 'Whether the folder that the service manages is in step with the project.',
  valuesConfig: {
    INACTIVE: {
      description:
        'The service does not manage a folder of the project, or the project is archived.',
    },
    PENDING: { description: 'The service has not yet made the folder, or not set its rights.' },
    READY: { description: 'The folder has the name of the project and the rights of its people.' },
    FAILED: { description: 'The last synchronisation failed. The message says what to do.' },
  },
});
registerEnumType(ProjectFolderMode, {
  name: 'ProjectFolderMode',
  description: 'Whether and how a project has its own folder in a storage.',
  valuesConfig: {
    INACTIVE: { description: 'There is no project folder.' },
    MANUAL: { description: 'A person chose an existing folder.' },
    AUTOMATIC: {
      description:
        'The service makes the folder, names it after the project, and gives the people of the ' +
        'project the rights there that they have in the project.',
    },
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

  @Field(() => ProjectFolderState, {
    description: 'Whether a folder with mode `AUTOMATIC` is in step with the project.',
  })
  get projectFolderState(): ProjectFolderState {
    if (this.projectFolderMode !== ProjectFolderMode.AUTOMATIC) return ProjectFolderState.INACTIVE;
    return this.folderState ?? ProjectFolderState.PENDING;
  }

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the service last changed the folder or its state. Null if it never did, or does not ' +
      'manage it.',
  })
  get projectFolderUpdatedAt(): string | null {
    return this.projectFolderMode === ProjectFolderMode.AUTOMATIC ? this.folderUpdatedAt : null;
  }

  @Field(() => DateTime, { description: 'When the storage was added to the project.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it last changed.' })
  declare updatedAt: string;

  declare projectId: number;
  declare storageId: number;
  declare creatorId: number;
  /** The folder that the service made. It stays when the mode changes. */
  declare managedFolderId: string | null;
  /** Name of the folder that the service is making. */
  declare folderMaking: string | null;
  /** Null: pending. */
  declare folderState: ProjectFolderState | null;
  declare folderMessage: string | null;
  declare folderUpdatedAt: string | null;
  /** SHA-256 of the rights that were set last. */
  declare folderDigest: string | null;
}
