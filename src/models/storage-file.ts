import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { OriginData } from './file-link.js';

export enum FilePermission {
  readable = 'readable',
  writeable = 'writeable',
}
registerEnumType(FilePermission, {
  name: 'FilePermission',
  description: 'What the caller may do with a file in its storage.',
  valuesConfig: {
    readable: { description: 'Read it.' },
    writeable: { description: 'Change it; a folder: put files into it.' },
  },
});

@ObjectType({
  description: 'A file or folder as its storage tells it now. Unknown is null.',
  simpleResolvers: true,
})
export class StorageFile extends OriginData {
  @Field(() => String, {
    description: 'Path below the root of the storage, not encoded; `/` for the root.',
  })
  location!: string;

  @Field(() => [FilePermission], { description: 'What the caller may do with it there.' })
  permissions!: FilePermission[];
}

@ObjectType({ description: 'A folder of a storage with what is in it.', simpleResolvers: true })
export class StorageFiles {
  @Field(() => [StorageFile], { description: 'What is in the folder.' })
  files!: StorageFile[];

  @Field(() => StorageFile, { description: 'The folder.' })
  parent!: StorageFile;

  @Field(() => [StorageFile], {
    description: 'The folders above it, from the root down; empty for the root.',
  })
  ancestors!: StorageFile[];
}

@ObjectType({
  description:
    'Where and how a client sends a file to a storage. Used once; it cannot be read again.',
  simpleResolvers: true,
})
export class UploadLink {
  @Field(() => String, { description: 'The address at the storage.' })
  href!: string;

  @Field(() => String, { description: '`post` with a form, or `put` with the bytes.' })
  method!: string;
}
