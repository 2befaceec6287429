/** Brings a file into a container: through the service, or directly to its object store. */
import { sleep } from '../back-off.js';
import type { Connection } from '../connection.js';
import {
  DeleteAttachmentDocument,
  ReplacedAttachmentDocument,
  UploadTargetDocument,
  type AttachmentPartsFragment,
  type UploadTargetQuery,
} from '../generated/documents.js';
import { MoorageError } from '../errors.js';
import type { AttachmentTarget } from './attachment-target.js';
import { DirectUpload, needsService, storeOf, type FormMemory } from './form.js';
import type { Outcomes } from './outcomes.js';
import { newId } from './pages.js';
import { findSent, sendRegular } from './regular.js';
import { NotResumable, RESUMABLE_FROM, sendResumable, type ResumableMemory } from './resumable.js';
import type { Attempt, Way } from './way.js';

/** A finished attachment. */
export type Attachment = AttachmentPartsFragment;

/**
 * - `regular`: through the service.
 * - `resumable`: through the service, in ranges. It goes on where it was.
 * - `form`: directly to the object store of the service.
 * - `auto`: directly, if the service permits it for the container. Otherwise files from 20 MB on are
 *   resumable, except for streams, and smaller ones regular.
 */
export type UploadMode = 'auto' | 'regular' | 'resumable' | 'form';

interface AttachmentMemory extends FormMemory, ResumableMemory {
  /** The attachment, when the service has the whole file. */
  attachment?: AttachmentPartsFragment;
  /** Through the service: with this key, it stores the file once, however often it is sent. */
  uploadKey?: string;
  /** Checksum of the content that the upload replaces, and when it last changed. */
  formerDigest?: string;
  formerTime?: string;
  /** Regular uploads: whether all bytes have left. */
  maybeStored?: boolean;
}

/** How long a cancelled upload is looked for when all its bytes have left. */
const STORING_MS = [500, 1_500, 4_000, 15_000, 60_000];

export class AttachmentWay implements Way<Attachment> {
  readonly #direct: DirectUpload;
  /** The last request that makes a resumable upload. It goes on after a pause or a cancel. */
  #creation: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly connection: Connection,
    private readonly outcomes: Outcomes,
    readonly target: AttachmentTarget & { size: number },
    readonly mode: UploadMode,
    readonly memory: AttachmentMemory = {},
  ) {
    this.#direct = new DirectUpload(connection, target, memory);
  }

  /** A regular upload, and one with a form, is one request. */
  get continues(): boolean {
    return this.memory.uploadPath !== undefined;
  }

  get needsFile(): boolean {
    return !this.memory.attachment && !this.memory.isStored;
  }

  async attempt(attempt: Attempt): Promise<Attachment> {
    const { signal, setState, save } = attempt;
    if (!this.memory.attachment) setState('preparing');
    const said = await this.#askService(signal);
    const { containerId } = this.target;
    const isDirect = this.memory.preparedId !== undefined || this.#isDirect(said);
    const isResumable = !isDirect && this.#isResumable(attempt);
    const isScanned = said.configuration.virusScanning;
    const listening =
      containerId !== undefined && (isDirect || isResumable || isScanned)
        ? this.outcomes.listen({ containerId })
        : undefined;
    try {
      await this.#rememberFormer(attempt);
      if (!this.memory.attachment) {
        this.memory.attachment = isDirect
          ? await this.#sendDirect(attempt, listening?.opened)
          : await this.#sendToService(attempt, isResumable);
        save();
      }
      const { attachment } = this.memory;
      setState('finalising');
      return await this.outcomes.wait(attachment, {
        isScanned,
        onScanning: () => setState('scanning'),
        signal,
      });
    } catch (error) {
      const replaced = signal.aborted ? undefined : await this.#replacedAfter(error);
      if (!replaced) throw error;
      return await this.outcomes.wait(replaced, {
        isScanned,
        onScanning: () => setState('scanning'),
        signal,
      });
    } finally {
      listening?.release();
    }
  }

  async #rememberFormer({ signal, save }: Attempt): Promise<void> {
    const { replaces } = this.target;
    if (replaces === undefined || this.memory.formerDigest !== undefined) return;
    const { attachment } = await this.connection.ask(
      ReplacedAttachmentDocument,
      { id: replaces },
      { signal },
    );
    if (!attachment) throw new MoorageError('NOT_FOUND', `${this.target.fileName} is gone.`);
    this.memory.formerDigest = attachment.digest.hash;
    this.memory.formerTime = attachment.updatedAt;
    save();
  }

  /**
   * An upload of a new content is gone at its end, whether the service took the content or not.
   * @returns the attachment, if it has the content now
   */
  async #replacedAfter(error: unknown): Promise<Attachment | undefined> {
    const { replaces, fileName, size } = this.target;
    if (replaces === undefined || !(error instanceof MoorageError)) return undefined;
    if (error.code !== 'REJECTED' && error.code !== 'NOT_FOUND') return undefined;
    const now = await this.connection.ask(ReplacedAttachmentDocument, { id: replaces });
    if (!now.attachment) return undefined;
    const { digest, updatedAt, ...attachment } = now.attachment;
    // A content that was refused has changed nothing.
    if (updatedAt === this.memory.formerTime) return undefined;
    const isSame = attachment.fileName === fileName && attachment.fileSize === size;
    return isSame || digest.hash !== this.memory.formerDigest ? attachment : undefined;
  }

  async remove(): Promise<void> {
    await this.#creation.catch(() => undefined);
    const sent = this.memory.attachment ?? (await this.#findLate());
    const id = sent?.id ?? this.memory.uploadPath?.split('/').at(-1);
    if (id !== undefined) await this.connection.ask(DeleteAttachmentDocument, { id });
    else await this.#direct.remove();
  }

  async #askService(signal: AbortSignal): Promise<UploadTargetQuery> {
    const { containerId, size } = this.target;
    const said = await this.connection.ask(
      UploadTargetDocument,
      { containerId: containerId ?? '', hasContainer: containerId !== undefined },
      { signal },
    );
    const { maximumAttachmentFileSize: largest } = said.configuration;
    if (size > largest)
      throw new MoorageError(
        'PROPERTY_CONSTRAINT_VIOLATION',
        `${this.target.fileName} has ${size} bytes. At most ${largest} bytes are allowed.`,
        { status: 422, attribute: 'fileSize' },
      );
    return said;
  }

  #isDirect({ configuration, container }: UploadTargetQuery): boolean {
    if (this.mode !== 'auto') return this.mode === 'form';
    if (storeOf(this.connection).isUnusable) return false;
    return container?.viewerCanPrepareAttachment ?? configuration.directUploadAvailable;
  }

  /** With the mode `auto`, the file goes through the service if the store takes no forms. */
  async #sendDirect(attempt: Attempt, listening?: Promise<unknown>): Promise<Attachment> {
    try {
      return await this.#direct.send(attempt, listening);
    } catch (error) {
      if (this.mode !== 'auto' || !needsService(error)) throw error;
      storeOf(this.connection).isUnusable = true;
      await this.#direct.remove().catch(() => undefined);
      return this.#sendToService(attempt, this.#isResumable(attempt));
    }
  }

  #isResumable({ file }: Attempt): boolean {
    const { memory, mode, target } = this;
    if (memory.uploadPath !== undefined || mode === 'resumable') return true;
    return (
      mode === 'auto' && target.size >= RESUMABLE_FROM && !memory.attachment && !file().isReadOnce
    );
  }

  /** An older service takes the file as a regular upload. */
  async #sendToService(attempt: Attempt, isResumable: boolean): Promise<Attachment> {
    if (!isResumable) return this.#sendRegular(attempt);
    const uploadKey = (this.memory.uploadKey ??= newId());
    // After a reload in the middle of the creation, the same key finds the upload.
    attempt.save();
    try {
      return await sendResumable(
        this.connection,
        { ...this.target, uploadKey },
        attempt,
        this.memory,
        (creation) => void (this.#creation = creation),
      );
    } catch (error) {
      if (error instanceof NotResumable && this.mode === 'auto') return this.#sendRegular(attempt);
      throw error;
    }
  }

  async #sendRegular(attempt: Attempt): Promise<Attachment> {
    // Saves sending the bytes of a file that the service has.
    const found = await this.#findSent(attempt.signal);
    if (found) return found;
    const uploadKey = (this.memory.uploadKey ??= newId());
    attempt.save();
    attempt.setSent(0);
    attempt.setState('sending');
    try {
      return await sendRegular(
        this.connection,
        { ...this.target, uploadKey },
        {
          ...attempt,
          setSent: (bytes) => {
            if (bytes >= this.target.size && !this.memory.maybeStored) {
              this.memory.maybeStored = true;
              attempt.save();
            }
            attempt.setSent(bytes);
          },
        },
      );
    } catch (error) {
      // A refusal is an answer: the service has no file.
      if (!attempt.signal.aborted && error instanceof MoorageError && !error.isTemporary)
        this.memory.maybeStored = false;
      throw error;
    }
  }

  /** The file of an earlier attempt, if the service has stored it. */
  async #findSent(signal?: AbortSignal): Promise<Attachment | undefined> {
    const { uploadKey } = this.memory;
    return uploadKey === undefined ? undefined : findSent(this.connection, uploadKey, signal);
  }

  /** The service may need time for a file that has left completely. */
  async #findLate(): Promise<Attachment | undefined> {
    const { uploadKey, maybeStored } = this.memory;
    if (uploadKey === undefined) return undefined;
    for (const ms of maybeStored ? STORING_MS : []) {
      const found = await this.#findSent();
      if (found) return found;
      await sleep(ms);
    }
    return this.#findSent();
  }
}
