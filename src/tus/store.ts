/** Connects the library of the protocol with our uploads. One object belongs to one request. */
import { PassThrough, type Readable } from 'node:stream';
import { DataStore, Metadata, Upload, type Lock } from '@tus/server';
import type { Request } from 'express';
import { fileTooLarge } from '../actions/files/attachments/analyze-content.js';
import { beginResumableUpload } from '../actions/files/uploads/begin-resumable-upload.js';
import { endUpload } from '../actions/files/uploads/end-upload.js';
import {
  findUpload,
  receiveBytes,
  takeTurn,
  TurnTaken,
  type Arrived,
} from '../actions/files/uploads/receive-bytes.js';
import type { Context } from '../context.js';
import { optionalAttachment } from '../contract/attachment-argument.js';
import { optionalContainer } from '../contract/container-argument.js';
import { InvalidRequestBody, TooLarge } from '../contract/errors.js';
import { parseDatabaseId } from '../contract/ids.js';
import { demandPlainBody, FILE_BEGINS } from '../http/read-form.js';
import type { Turns } from './turns.js';

const DAY_MS = 86_400_000;

export class UploadStore extends DataStore {
  static readonly EXTENSIONS = ['creation', 'creation-with-upload', 'expiration', 'termination'];

  override extensions = UploadStore.EXTENSIONS;
  #token = '';
  /** How far the upload is, read during the turn of this request. */
  #arrived: Arrived | undefined;
  #body: Readable | undefined;
  #stopped: Error | undefined;

  constructor(
    private readonly context: Context,
    private readonly req: Request,
    private readonly turns: Turns,
  ) {
    super();
  }

  /** @returns the id of the attachment */
  async begin(metadata: Readonly<{ [name: string]: string | null }>): Promise<string> {
    const { context, req } = this;
    const fileSize = Number(req.headers['upload-length']);
    if (fileSize > context.settings.attachmentMaxSize)
      throw new TooLarge(fileTooLarge(context.settings).message, 'fileSize');
    const { filename, filetype, container, replaces, description, uploadKey } = metadata;
    const { id } = await beginResumableUpload(context, {
      container: optionalContainer(container),
      replaces: optionalAttachment(replaces),
      details: { fileName: filename, contentType: filetype, description, fileSize },
      uploadKey,
      metadata: String(req.headers['upload-metadata'] ?? ''),
    });
    return String(id);
  }

  newLock(name: string): Lock {
    const id = parseDatabaseId(name);
    let end = () => undefined as void;
    return {
      lock: async () => {
        // Who may not go on with an upload must not end the request that does.
        const found = await findUpload(this.context, id);
        end = await this.turns.take(found.attachment.id, () => {
          this.#stop(new TurnTaken());
        });
        this.#token = await takeTurn(this.context, found);
      },
      unlock: async () => end(),
    };
  }

  override async create(upload: Upload): Promise<Upload> {
    return upload;
  }

  override async getUpload(name: string): Promise<Upload> {
    const { context } = this;
    this.#arrived = await findUpload(context, parseDatabaseId(name));
    const { attachment, upload, offset } = this.#arrived;
    const { expiresAt, fileSize } = attachment;
    return new Upload({
      id: name,
      size: fileSize,
      offset,
      ...(upload.metadata !== '' && { metadata: Metadata.parse(upload.metadata) }),
      // The library adds the lifetime to this time.
      creation_date: new Date(
        expiresAt === null ? context.clock() : Date.parse(expiresAt) - this.getExpiration(),
      ).toISOString(),
    });
  }

  override getExpiration(): number {
    return this.context.settings.uploadDays * DAY_MS;
  }

  /** Reads the bytes from the request itself, without the streams of the library. */
  override async write(_stream: unknown, name: string, offset: number): Promise<number> {
    const arrived = this.#arrived ?? (await findUpload(this.context, parseDatabaseId(name)));
    // A repeated creation brings the first bytes once more.
    if (arrived.offset !== offset) return arrived.offset;
    demandPlainBody(this.req);
    const most = arrived.attachment.fileSize - offset;
    return receiveBytes(this.context, arrived, {
      turn: this.#token,
      offset,
      body: this.#bytes(most),
      stop: (reason) => this.#stop(reason),
    });
  }

  override async remove(name: string): Promise<void> {
    await endUpload(this.context, parseDatabaseId(name));
  }

  #stop(reason: Error): void {
    this.#stopped = reason;
    this.#body?.destroy(reason);
  }

  /** @param most number of bytes that may come */
  async *#bytes(most: number): AsyncGenerator<Uint8Array> {
    const { req } = this;
    if (this.#stopped) throw this.#stopped;
    const body = new PassThrough();
    this.#body = body;
    req.once('aborted', () => body.destroy(new InvalidRequestBody('The request was cut off.')));
    req.emit(FILE_BEGINS);
    req.pipe(body);
    let size = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > most) throw new TooLarge();
      yield chunk;
    }
  }
}
