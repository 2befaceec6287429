/** Browsing storages, and sending files to them past this service. */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { createStorageFolder } from '../actions/storage-files/create-storage-folder.js';
import { listFiles } from '../actions/storage-files/list-files.js';
import { prepareStorageUpload } from '../actions/storage-files/prepare-storage-upload.js';
import { viewFile } from '../actions/storage-files/view-file.js';
import { answersOf } from '../actions/storage-access/shared-answers.js';
import { storageQueues } from '../actions/storage-access/storage-queues.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { StorageFile, StorageFiles, UploadLink } from '../models/storage-file.js';
import { Storage } from '../models/storage.js';
import { counted } from './paging.js';

@InputType({ description: 'A folder to make in a storage.' })
export class CreateStorageFolderInput {
  @Field(() => ID, { description: 'The storage, id in either form.' })
  storageId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the folder, 1 to 255 characters. Required.',
  })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The folder to make it in: its id, or its path beginning with `/`. Required.',
  })
  parent?: string | null;
}

@ObjectType({ description: 'Answer of createStorageFolder.', simpleResolvers: true })
export class CreateStorageFolderPayload {
  @Field(() => StorageFile, { description: 'The folder.' })
  folder!: StorageFile;
}

@InputType({ description: 'A file that a client wants to send to a storage.' })
export class PrepareStorageUploadInput {
  @Field(() => ID, { description: 'The storage, id in either form.' })
  storageId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The project for which it is, id in either form. Required.',
  })
  projectId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the file, 1 to 255 characters. Required.',
  })
  fileName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The folder to put it in: its id, or its path beginning with `/`. Required.',
  })
  parent?: string | null;
}

@ObjectType({ description: 'Answer of prepareStorageUpload.', simpleResolvers: true })
export class PrepareStorageUploadPayload {
  @Field(() => UploadLink, { description: 'Where to send it.' })
  uploadLink!: UploadLink;
}

@Resolver(() => Storage)
export class StorageFileResolver {
  @FieldResolver(() => StorageFiles, {
    nullable: true,
    description:
      'A folder as the caller sees it there, for those who view file links in a project of the storage; null with an error where it cannot be read. Asks the storage.',
  })
  files(
    @Root() storage: Storage,
    @Arg('parent', () => String, {
      nullable: true,
      description: 'Its id, or its path beginning with `/`; absent is the root.',
    })
    parent: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<StorageFiles> {
    return counted(
      context,
      () =>
        context
          .once(answersOf)
          .share(['files', storage.id, parent ?? ''], () =>
            context.once(storageQueues).turn(storage.id, () => listFiles(context, storage, parent)),
          ),
      ({ files, ancestors }) => files.length + ancestors.length,
    );
  }

  @FieldResolver(() => StorageFile, {
    nullable: true,
    description:
      'One file as the caller sees it there, for those who view file links in a project of the storage; null with an error where it cannot be read. Asks the storage.',
  })
  file(
    @Root() storage: Storage,
    @Arg('id', () => String, { description: 'Its id in the storage.' }) id: string,
    @Ctx() context: Context,
  ): Promise<StorageFile> {
    return context
      .once(answersOf)
      .share(['file', storage.id, id], () => viewFile(context, storage, id));
  }

  @Mutation(() => CreateStorageFolderPayload, {
    description:
      'Makes a folder in a storage, as the caller. For those who manage file links in a project of the storage.',
  })
  async createStorageFolder(
    @Arg('input', () => CreateStorageFolderInput, { description: 'The folder.' })
    { storageId, ...input }: CreateStorageFolderInput,
    @Ctx() context: Context,
  ): Promise<CreateStorageFolderPayload> {
    return {
      folder: await createStorageFolder(context, {
        storageId: idOf('Storage', storageId),
        name: input.name,
        parent: input.parent,
      }),
    };
  }

  @Mutation(() => PrepareStorageUploadPayload, {
    description:
      'Gets an address at which a client sends a file to a storage. For those who manage file links in the project.',
  })
  async prepareStorageUpload(
    @Arg('input', () => PrepareStorageUploadInput, { description: 'The file.' })
    { storageId, projectId, ...input }: PrepareStorageUploadInput,
    @Ctx() context: Context,
  ): Promise<PrepareStorageUploadPayload> {
    const uploadLink = await prepareStorageUpload(context, {
      storageId: idOf('Storage', storageId),
      projectId: projectId ? idOf('Project', projectId) : null,
      name: input.fileName,
      parent: input.parent,
    });
    return { uploadLink };
  }
}
