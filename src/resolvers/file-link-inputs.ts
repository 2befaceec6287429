/** The inputs and results of the mutations of file links. */
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { MAX_NEW_FILE_LINKS } from '../contract/limits.js';
import { ByteCount } from '../models/byte-count.js';
import { FileLink } from '../models/file-link.js';

@InputType({
  description:
    'What the client knows about a file in a storage. ' +
    'The service updates it as soon as the storage is asked.',
})
export class OriginDataInput {
  @Field(() => String, {
    nullable: true,
    description: 'Required. Id of the file in the storage, at most 100 characters.',
  })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Required. Name of the file, at most 255 characters.',
  })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Media type, at most 255 characters; `application/x-op-directory` for a folder. ' +
      'Default: unknown (null), as for all optional members.',
  })
  mimeType?: string | null;

  @Field(() => ByteCount, {
    nullable: true,
    description: 'Size in bytes.',
  })
  size?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'When the file was created: ISO 8601 date and time. UTC if it names no time zone. ' +
      'The time 0 (1970-01-01T00:00:00Z) means unknown.',
  })
  createdAt?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'When the content last changed: as for `createdAt`.',
  })
  lastModifiedAt?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the user who created the file, at most 255 characters.',
  })
  createdByName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the user who last changed the file, at most 255 characters.',
  })
  lastModifiedByName?: string | null;
}

@InputType({
  description:
    'A new file link. Name the storage with `storageId` or `storageUrl`. ' +
    'If both are given, they must name the same storage.',
})
export class FileLinkInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Global id or integer id of the storage.',
  })
  storageId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Address of the storage (`Storage.origin`).',
  })
  storageUrl?: string | null;

  @Field(() => OriginDataInput, { description: 'The file in the storage.' })
  originData!: OriginDataInput;
}

@InputType({ description: 'New file links. Either all are created or none.' })
export class CreateFileLinksInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'Global id or integer id of the work package. Without it, the links are unclaimed: ' +
      'only the caller sees them. They are removed if no work package claims them in time ' +
      '(after 3 hours by default).',
  })
  workPackageId?: string | null;

  @Field(() => [FileLinkInput], {
    nullable: true,
    description: `Required. 1 to ${MAX_NEW_FILE_LINKS} file links.`,
  })
  fileLinks?: FileLinkInput[] | null;
}

@ObjectType({ description: 'The result of `createFileLinks`.', simpleResolvers: true })
export class CreateFileLinksPayload {
  @Field(() => [FileLink], {
    description:
      'One file link for each element of the input, in the same order. ' +
      'If the work package already links the file, the existing link is returned unchanged.',
  })
  fileLinks!: FileLink[];
}

@InputType({ description: 'The file link to remove.' })
export class DeleteFileLinkInput {
  @Field(() => ID, { description: 'Global id or integer id of the file link.' })
  id!: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'Global id or integer id of the work package of the link. ' +
      'Error: NOT_FOUND if the link has another one. Default: any, or none.',
  })
  workPackageId?: string | null;
}

@ObjectType({ description: 'The result of `deleteFileLink`.', simpleResolvers: true })
export class DeleteFileLinkPayload {
  @Field(() => ID, { description: 'Global id of the removed file link.' })
  deletedFileLinkId!: string;
}
