/** Files and folders in storages. */
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { OriginData } from './file-link.js';
import { UploadMethod } from './upload-method.js';

export enum FilePermission {
  READABLE = 'readable',
  WRITEABLE = 'writeable',
}
registerEnumType(FilePermission, {
  name: 'FilePermission',
  description: 'Permission of the caller for a file in a storage.',
  valuesConfig: {
    READABLE: { description: 'The caller can read it.' },
    WRITEABLE: { description: 'The caller can change it; for a folder, add files to it.' },
  },
});

@ObjectType({
  description: 'A file or folder, as its storage reports it now. Unknown values are null.',
  simpleResolvers: true,
})
export class StorageFile extends OriginData {
  @Field(() => String, {
    description: 'Path from the root of the storage, not URL-encoded; `/` for the root.',
  })
  location!: string;

  @Field(() => [FilePermission], { description: 'Permissions of the caller.' })
  permissions!: FilePermission[];
}

@ObjectType({ description: 'A folder of a storage, with its content.', simpleResolvers: true })
export class StorageFiles {
  @Field(() => [StorageFile], {
    description:
      'Files and folders in the folder, at most 10,000. Of more, the first ones in the order of ' +
      'their names, by UTF-16 code units.',
  })
  files!: StorageFile[];

  @Field(() => Boolean, { description: 'Whether the folder has more entries than `files`.' })
  truncated!: boolean;

  @Field(() => StorageFile, { description: 'The folder.' })
  parent!: StorageFile;

  @Field(() => [StorageFile], {
    description: 'Parent folders, from the root down; empty for the root.',
  })
  ancestors!: StorageFile[];
}

@ObjectType({
  description:
    'Where and how a client sends a file to a storage. It works once and cannot be fetched again.',
  simpleResolvers: true,
})
export class UploadLink {
  @Field(() => String, { description: 'URL of the storage.' })
  href!: string;

  @Field(() => UploadMethod, { description: 'How to send the file.' })
  method!: `${UploadMethod}`;
}
