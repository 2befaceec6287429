/** Links from work packages to files in storages. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { folded } from '../contract/folded-text.js';
import { ByteCount } from './byte-count.js';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

export enum FileLinkStatus {
  VIEW_ALLOWED = 'ViewAllowed',
  VIEW_NOT_ALLOWED = 'ViewNotAllowed',
  NOT_FOUND = 'NotFound',
  ERROR = 'Error',
}
registerEnumType(FileLinkStatus, {
  name: 'FileLinkStatus',
  description: 'Access of the caller to the file, as the storage reports it.',
  valuesConfig: {
    VIEW_ALLOWED: { description: 'The caller can view the file.' },
    VIEW_NOT_ALLOWED: { description: 'The file exists, but the caller cannot view it.' },
    NOT_FOUND: { description: 'The file does not exist any more.' },
    ERROR: { description: 'The storage did not answer.' },
  },
});

@ObjectType({
  description: 'Metadata of a file or folder, from its storage. Unknown values are null.',
  simpleResolvers: true,
})
export class OriginData {
  @Field(() => String, { description: 'Id in the storage; opaque.' })
  id!: string;

  @Field(() => String, { description: 'Name.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Media type; `application/x-op-directory` for a folder.',
  })
  mimeType!: string | null;

  @Field(() => ByteCount, { nullable: true, description: 'Size in bytes.' })
  size!: number | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was created.' })
  createdAt!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When it last changed.' })
  lastModifiedAt!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the creator.' })
  createdByName!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the last person who changed it.' })
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

  @Field(() => DateTime, { description: 'When the link was created.' })
  declare createdAt: string;

  /** Null for an unclaimed link. */
  declare workPackageId: number | null;
  declare storageId: number;
  declare creatorId: number;
  declare originId: string;
  declare originName: string;
  /** The name, folded. Searches read it. */
  declare searchText: string;
  declare originMimeType: string | null;
  declare originSize: number | null;
  declare originCreatedAt: string | null;
  declare originLastModifiedAt: string | null;
  declare originCreatedByName: string | null;
  declare originLastModifiedByName: string | null;
  declare expiresAt: string | null;

  /** The project of the work package; null for an unclaimed link. */
  declare projectId: number | null;

  static searchTextOf = ({ originName }: { originName: string }): string => folded(originName);

  override $beforeInsert(): void {
    this.searchText = FileLink.searchTextOf(this);
  }

  /** The metadata that the storage last returned. */
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
