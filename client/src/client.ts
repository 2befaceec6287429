/** The client with uploads. */
import type { ClientOptions, RequestOptions } from './connection.js';
import { CoreClient } from './core.js';
import { contentAddress, save, type AddressOptions, type ContentAddress } from './download.js';
import type { Attachment, UploadMode } from './uploads/attachment-way.js';
import type { FileSource } from './uploads/file.js';
import type { FileLink } from './uploads/storage-way.js';
import { Uploads } from './uploads/uploads.js';
import type { Upload } from './uploads/upload.js';

export interface UploadOptions {
  /** Global id of the container. Without it, a container can claim the attachment later. */
  containerId?: string | undefined;
  /** At most 255 characters. */
  description?: string | undefined;
  /** Default: the name of the file. */
  fileName?: string | undefined;
  /**
   * Global id of an attachment that gets the new content, and keeps its id and its description. Then
   * leave out `description`. It is a resumable upload, whatever its size.
   */
  replaces?: string | undefined;
  /** Default: `auto`. */
  mode?: UploadMode | undefined;
}

export interface StorageUploadOptions {
  /** Global id or integer id of the work package that links the file. */
  workPackageId: string;
  /** Global id or integer id of the storage. */
  storageId: string;
  /** The folder in the storage: an id, or a path that begins with `/`. */
  locationId: string;
  /** Default: the name of the file. */
  fileName?: string | undefined;
}

/** A client of one service and one caller. Its uploads need a signed-in person. */
export class Client extends CoreClient {
  /** All uploads of this client. */
  readonly uploads = new Uploads(this.connection);

  /**
   * Begins an upload, when one of the places is free. It goes on after lost connections, and waits
   * for the checks and the virus scan of the service.
   * @param file a `File`, or what `fileFrom` of `moorage-client/node` gives
   */
  upload(
    file: FileSource,
    { fileName = file.name, mode = 'auto', ...target }: UploadOptions = {},
  ): Upload<Attachment> {
    const { size } = file;
    // Only a resumable upload leaves the former content alone until the whole new one is there.
    const way = target.replaces === undefined ? mode : 'resumable';
    return this.uploads.attach(file, { ...target, fileName, size }, way);
  }

  /** Uploads a file to a storage, and then links it to the work package. */
  storageUpload(
    file: FileSource,
    { fileName = file.name, ...place }: StorageUploadOptions,
  ): Upload<FileLink> {
    const { size, type: contentType } = file;
    return this.uploads.store(file, { ...place, fileName, size, contentType });
  }

  /**
   * An address that shows or saves a file without credentials, for some minutes. Use it for
   * pictures, because `<img src>` sends no key or token.
   * @param attachment its global id, or its integer id as text
   * @throws MoorageError `MISSING_PERMISSION` for a file that may not be downloaded now
   */
  contentAddress(attachment: { id: string }, options?: AddressOptions): Promise<ContentAddress> {
    return contentAddress(this.connection, attachment, options);
  }

  /** Saves a file in a browser, also from a page of another origin. The page stays. */
  async download(attachment: { id: string }, options?: RequestOptions): Promise<void> {
    save(await this.contentAddress(attachment, { ...options, disposition: 'ATTACHMENT' }));
  }
}

/** Makes a client. */
export const createClient = (options: ClientOptions): Client => new Client(options);
