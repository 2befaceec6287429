/** Brings a file into a storage, and links it to a work package. */
import type { Connection } from '../connection.js';
import {
  CreateFileLinksDocument,
  PrepareStorageUploadDocument,
  StorageFolderDocument,
  WorkPackageProjectDocument,
  type CreateFileLinksMutation,
} from '../generated/documents.js';
import { MoorageError } from '../errors.js';
import { sendRanges } from './drive.js';
import { postToFileServer } from './file-server.js';
import type { StorageMemory, StoredFile, UploadLink } from './stored-file.js';
import type { Attempt, Way } from './way.js';

/** A new file link. */
export type FileLink = CreateFileLinksMutation['createFileLinks']['fileLinks'][number];

export interface StorageTarget {
  /** Global id or integer id of the work package that links the file. */
  workPackageId: string;
  /** Global id or integer id of the storage. */
  storageId: string;
  /** The folder: an id, or a path that begins with `/`. */
  locationId: string;
  fileName: string;
  /** Bytes. */
  size: number;
  /** Empty if it is unknown. */
  contentType: string;
}

export class StorageWay implements Way<FileLink> {
  constructor(
    private readonly connection: Connection,
    private readonly target: StorageTarget,
    readonly memory: StorageMemory = {},
  ) {}

  get needsFile(): boolean {
    return !this.memory.stored;
  }

  /** A drive takes ranges. */
  get continues(): boolean {
    return this.memory.link?.method === 'PUT';
  }

  async attempt(attempt: Attempt): Promise<FileLink> {
    this.memory.stored ??= await this.#store(attempt);
    attempt.save();
    attempt.setState('finalising');
    return this.#link(this.memory.stored, attempt);
  }

  async remove(): Promise<void> {
    const { link, stored } = this.memory;
    // Not with the credentials of the service: the address itself permits it.
    if (link?.method === 'PUT' && !stored)
      await this.connection.fetch(link.href, { method: 'DELETE' });
  }

  async #store(attempt: Attempt): Promise<StoredFile> {
    try {
      return await this.#send(attempt);
    } catch (error) {
      const isGone = error instanceof MoorageError && error.code === 'SESSION_GONE';
      if (!isGone) throw error;
      return this.#send(attempt);
    }
  }

  async #send(attempt: Attempt): Promise<StoredFile> {
    const { memory, target } = this;
    const found = memory.maybeStored && (await this.#findStored(attempt.signal));
    if (found) return found;
    memory.maybeStored = false;
    if (!memory.link) {
      attempt.setState('preparing');
      memory.link = await this.#prepare(attempt.signal);
      attempt.save();
    }
    const { href, method } = memory.link;
    const send = method === 'PUT' ? sendRanges : postToFileServer;
    try {
      return await send(this.connection.fetch, href, target.fileName, attempt, memory);
    } catch (error) {
      const known = error instanceof MoorageError ? error : undefined;
      // The address of a file server works once. That of a drive ends with its session.
      if (method !== 'PUT' || known?.code === 'SESSION_GONE') {
        memory.link = undefined;
        memory.maybeStored = memory.isLastSent && (method === 'PUT' || known?.isTemporary);
        memory.isLastSent = false;
        attempt.save();
      }
      throw error;
    }
  }

  async #prepare(signal: AbortSignal): Promise<UploadLink> {
    const { workPackageId, storageId, locationId, fileName } = this.target;
    const { workPackage } = await this.connection.ask(
      WorkPackageProjectDocument,
      { id: workPackageId },
      { signal },
    );
    const projectId = workPackage?.project.id;
    const input = { storageId, projectId, parent: locationId, fileName };
    const { prepareStorageUpload } = await this.connection.ask(
      PrepareStorageUploadDocument,
      { input },
      { signal },
    );
    return prepareStorageUpload.uploadLink;
  }

  async #findStored(signal: AbortSignal): Promise<StoredFile | undefined> {
    const { storageId, locationId, fileName, size } = this.target;
    const { storage } = await this.connection.ask(
      StorageFolderDocument,
      { storageId, parent: locationId },
      { signal },
    );
    return storage?.files?.files.find((file) => file.name === fileName && file.size === size);
  }

  async #link({ id, name }: StoredFile, { signal }: Attempt): Promise<FileLink> {
    const { workPackageId, storageId, size, contentType: mimeType } = this.target;
    const { createFileLinks } = await this.connection.ask(
      CreateFileLinksDocument,
      {
        input: {
          workPackageId,
          fileLinks: [{ storageId, originData: { id, name, size, ...(mimeType && { mimeType }) } }],
        },
      },
      { signal },
    );
    const [fileLink] = createFileLinks.fileLinks;
    if (!fileLink) throw new MoorageError('UNEXPECTED_ANSWER', 'The file link is missing.');
    return fileLink;
  }
}
