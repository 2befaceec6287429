import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

/** Interface section 2.5. */
export enum FileLinkStatus {
  ViewAllowed = 'ViewAllowed',
  ViewNotAllowed = 'ViewNotAllowed',
  NotFound = 'NotFound',
  Error = 'Error',
}
registerEnumType(FileLinkStatus, {
  name: 'FileLinkStatus',
  description: 'How the caller stands to the file in the storage, asked of the storage.',
  valuesConfig: {
    ViewAllowed: { description: 'The caller may see it there.' },
    ViewNotAllowed: { description: 'It is there, but not for the caller.' },
    NotFound: { description: 'It is not there any more.' },
    Error: { description: 'The storage could not be asked.' },
  },
});

@ObjectType({
  description: 'What a storage says about a file or folder. Unknown is null.',
  simpleResolvers: true,
})
export class OriginData {
  @Field(() => String, { description: 'Its id in the storage; opaque.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Media type; of a folder `application/x-op-directory`.',
  })
  mimeType!: string | null;

  @Field(() => Float, { nullable: true, description: 'Size in bytes, a whole number.' })
  size!: number | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was made.' })
  createdAt!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was last changed.' })
  lastModifiedAt!: string | null;

  @Field(() => String, { nullable: true, description: 'Who made it.' })
  createdByName!: string | null;

  @Field(() => String, { nullable: true, description: 'Who last changed it.' })
  lastModifiedByName!: string | null;
}

@ObjectType({
  implements: Node,
  description: 'A link from a work package to a file in a storage.',
  simpleResolvers: true,
})
export class FileLink extends Record {
  static override tableName = 'file_links';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => DateTime, { description: 'When it was made.' })
  declare createdAt: string;

  /** Null until it is claimed. */
  declare workPackageId: number | null;
  declare storageId: number;
  declare creatorId: number;
  declare originId: string;
  declare originName: string;
  declare originMimeType: string | null;
  declare originSize: number | null;
  declare originCreatedAt: string | null;
  declare originLastModifiedAt: string | null;
  declare originCreatedByName: string | null;
  declare originLastModifiedByName: string | null;
  declare expiresAt: string | null;

  /** Of the work package; null until it is claimed. */
  declare projectId: number | null;

  /** What the storage last said. */
  get stored(): OriginData {
    return {
      id: this.originId,
      name: this.originName,
      mimeType: this.originMimeType,
      size: this.originSize,
      createdAt: this.originCreatedAt,
      lastModifiedAt: this.originLastModifiedAt,
      createdByName: this.originCreatedByName,
      lastModifiedByName: this.originLastModifiedByName,
    };
  }
}
