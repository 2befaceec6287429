/** All uploads of a client: their list, their turns, and what is kept across reloads. */
import { sleep } from '../back-off.js';
import type { Connection } from '../connection.js';
import { ViewerDocument } from '../generated/documents.js';
import type { AttachmentTarget } from './attachment-target.js';
import { AttachmentWay, type Attachment, type UploadMode } from './attachment-way.js';
import { Emitter } from './emitter.js';
import type { FileSource } from './file.js';
import { kept, type KeptUpload } from './kept.js';
import { Outcomes } from './outcomes.js';
import { announcePage, newId, pageId, withLivingPages } from './pages.js';
import { StorageWay, type FileLink, type StorageTarget } from './storage-way.js';
import { Upload, type NewUpload } from './upload.js';
import type { Way } from './way.js';

/** Larger files are not copied into the browser's database: the person picks them again. */
const LARGEST_KEPT = 200 * 1024 * 1024;
const KEPT_MS = 7 * 24 * 3600 * 1000;

/** An upload of a list: its `done` gives an attachment or a file link. */
export type AnyUpload = Upload<Attachment | FileLink>;

/** How long a person who signs out waits for what must be removed at the service. */
const FORGET_MS = 6_000;

export class Uploads {
  /** How many uploads send at the same time. */
  limit = 3;

  readonly #uploads = new Map<string, AnyUpload>();
  readonly #kept = new Map<string, KeptUpload>();
  readonly #events = new Emitter<{ change: void }>();
  readonly #outcomes: Outcomes;
  #list: readonly AnyUpload[] | undefined;
  #isChanging = false;
  #viewerId: Promise<string> | undefined;

  /** Use `client.uploads`. */
  constructor(private readonly connection: Connection) {
    this.#outcomes = new Outcomes(connection);
  }

  /** All uploads, oldest first. It is the same array until the next `change`. */
  list(): readonly AnyUpload[] {
    return (this.#list ??= [...this.#uploads.values()]);
  }

  /**
   * `change`: the list or the state of an upload has changed. Several changes at once call it once.
   * @returns a function that removes the listener
   */
  on(name: 'change', listener: () => void): () => void {
    return this.#events.on(name, listener);
  }

  /** Removes uploads from the list that are done or cancelled. Cancel failed ones first. */
  clear(): void {
    for (const [id, { state }] of this.#uploads)
      if (state === 'done' || state === 'cancelled') this.#uploads.delete(id);
    this.#changed();
  }

  /**
   * Finds the uploads that the signed-in person began before the page was loaded. They are
   * `paused`, or `expired` if their file is needed (`giveFile`) or after seven days. Uploads of
   * other open pages are left out.
   */
  async restore(): Promise<AnyUpload[]> {
    const viewerId = await this.#viewer();
    return withLivingPages(async (pages) => {
      const found = (await kept.all()).filter(
        (one) =>
          one.url === this.#address &&
          one.viewerId === viewerId &&
          !this.#uploads.has(one.id) &&
          (one.pageId === pageId || !pages.has(one.pageId)),
      );
      found.sort((a, b) => a.since - b.since);
      const restored = found.map((one) => this.#restore({ ...one, pageId }));
      await Promise.all(
        restored.map(({ id }) => (this.#kept.has(id) ? this.#save(id) : kept.remove(id))),
      );
      return restored;
    });
  }

  /** Before the person signs out: stops all their uploads, and removes what is kept of them. */
  async forget(): Promise<void> {
    // Uploads of other people wait for their owners.
    const viewerId = await this.#viewer().catch(() => undefined);
    const ended = Promise.all(this.list().map((upload) => upload.cancel()));
    await Promise.race([ended, sleep(FORGET_MS)]);
    this.#uploads.clear();
    this.#kept.clear();
    this.#viewerId = undefined;
    this.#changed();
    for (const one of await kept.all())
      if (one.url === this.#address && one.viewerId === viewerId) await kept.remove(one.id);
  }

  /** For `client.upload`. */
  attach(
    file: FileSource,
    target: AttachmentTarget & { size: number },
    mode: UploadMode,
  ): Upload<Attachment> {
    const way = new AttachmentWay(this.connection, this.#outcomes, target, mode);
    return this.#begin(file, target.fileName, way, {
      kind: 'attachment',
      target: { ...target, mode },
    });
  }

  /** For `client.storageUpload`. */
  store(file: FileSource, target: StorageTarget): Upload<FileLink> {
    const way = new StorageWay(this.connection, target);
    return this.#begin(file, target.fileName, way, { kind: 'storage', target });
  }

  #begin<Result extends Attachment | FileLink>(
    file: FileSource,
    fileName: string,
    way: Way<Result>,
    place: Pick<KeptUpload, 'kind' | 'target'>,
  ): Upload<Result> {
    const id = newId();
    const { name, size, lastModified } = file;
    const details = { name, size, lastModified };
    if (kept.isPossible)
      void this.#keep({ ...place, id, fileName, details, memory: way.memory }, file);
    return this.#add({ id, fileName, details, file, way, state: 'queued' });
  }

  #add<Result extends Attachment | FileLink>(one: NewUpload<Result>): Upload<Result> {
    const upload = new Upload(one, {
      changed: () => this.#changed(),
      save: () => void this.#save(one.id),
    });
    this.#uploads.set(one.id, upload);
    this.#changed();
    return upload;
  }

  #restore(one: KeptUpload): AnyUpload {
    // Casts: this file wrote them, in `attach` and `store`.
    const way: Way<Attachment | FileLink> =
      one.kind === 'storage'
        ? new StorageWay(this.connection, one.target as StorageTarget, one.memory)
        : new AttachmentWay(
            this.connection,
            this.#outcomes,
            one.target as AttachmentTarget & { size: number },
            (one.target as { mode: UploadMode }).mode,
            one.memory,
          );
    const isOld = Date.now() - one.since > KEPT_MS;
    if (!isOld) this.#kept.set(one.id, one);
    const isMissing = way.needsFile && !one.file;
    const state = isOld || isMissing ? 'expired' : 'paused';
    return this.#add({ ...one, file: one.file, way, state });
  }

  async #keep(one: Omit<KeptUpload, 'url' | 'viewerId' | 'pageId' | 'since'>, file: FileSource) {
    announcePage();
    try {
      const viewerId = await this.#viewer();
      // It has perhaps ended already.
      if (!this.#uploads.get(one.id) || hasEnded(this.#uploads.get(one.id))) return;
      this.#kept.set(one.id, {
        ...one,
        url: this.#address,
        viewerId,
        pageId,
        since: Date.now(),
        ...(file instanceof File && file.size <= LARGEST_KEPT && { file }),
      });
      await this.#save(one.id);
    } catch {
      // Nobody is signed in, or the service does not answer: the upload itself says so.
    }
  }

  async #save(id: string): Promise<void> {
    const one = this.#kept.get(id);
    if (one) await kept.put(one);
  }

  get #address(): string {
    return this.connection.url;
  }

  #viewer(): Promise<string> {
    this.#viewerId ??= this.connection.ask(ViewerDocument, {}).then(
      ({ viewer }) => viewer.id,
      (error: unknown) => {
        this.#viewerId = undefined;
        throw error;
      },
    );
    return this.#viewerId;
  }

  /** Starts what may start, and reports the change after all changes of the same moment. */
  #changed(): void {
    this.#list = undefined;
    if (this.#isChanging) return;
    this.#isChanging = true;
    queueMicrotask(() => {
      this.#isChanging = false;
      this.#startNext();
      for (const id of this.#kept.keys()) {
        if (!hasEnded(this.#uploads.get(id))) continue;
        this.#kept.delete(id);
        void kept.remove(id);
      }
      this.#events.emit('change', undefined);
    });
  }

  #startNext(): void {
    const uploads = this.list();
    let free = this.limit - uploads.filter(({ isBusy }) => isBusy).length;
    for (const upload of uploads) {
      if (free <= 0) return;
      if (!upload.isWaiting) continue;
      free -= 1;
      void upload.start();
    }
  }
}

const hasEnded = (upload: AnyUpload | undefined): boolean =>
  !upload || upload.state === 'done' || upload.state === 'cancelled';
