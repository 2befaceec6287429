/** A direct upload: the file goes to the object store with a signed form. */
import type { Connection } from '../connection.js';
import {
  CompleteAttachmentUploadDocument,
  DeleteAttachmentDocument,
  PrepareAttachmentUploadDocument,
  type AttachmentPartsFragment,
  type PrepareAttachmentUploadMutation,
} from '../generated/documents.js';
import { MoorageError, retryAfterOf } from '../errors.js';
import { isOffline } from './online.js';
import type { AttachmentTarget } from './attachment-target.js';
import { sendFile, type FileAnswer, type FileRequest } from './send.js';
import type { Attempt } from './way.js';

type Prepared = PrepareAttachmentUploadMutation['prepareAttachmentUpload']['upload'];

/** How far a direct upload is. It is kept across reloads, but no form is. */
export interface FormMemory {
  /** Integer id of the prepared attachment. */
  preparedId?: string | undefined;
  /** Whether the store has all bytes. */
  isStored?: boolean;
}

/** One direct upload. It keeps its form for further attempts, as long as the store takes it. */
export class DirectUpload {
  #prepared: Prepared | undefined;
  /** Whether all bytes left before the answer was lost. */
  #maybeStored = false;
  /** How often the store did not answer. */
  #silences = 0;

  constructor(
    private readonly connection: Connection,
    private readonly target: AttachmentTarget,
    private readonly memory: FormMemory,
  ) {}

  /**
   * @param listening ends when a stream is open that says why a file was rejected
   * @throws MoorageError, or the reason of the signal
   */
  async send(attempt: Attempt, listening?: Promise<unknown>): Promise<AttachmentPartsFragment> {
    if (!this.memory.isStored && this.#maybeStored) await this.#recover(attempt);
    if (!this.memory.isStored) await this.#store(attempt);
    await listening;
    return this.#complete(attempt.signal);
  }

  /** Removes the prepared attachment. */
  async remove(): Promise<void> {
    const id = this.memory.preparedId;
    this.#prepared = undefined;
    this.memory.preparedId = undefined;
    if (id !== undefined) await this.connection.ask(DeleteAttachmentDocument, { id });
  }

  async #store(attempt: Attempt): Promise<void> {
    let answer = await this.#post(attempt);
    if (answer.status === 403) {
      // The form has expired, perhaps while the device slept.
      await this.remove().catch(() => undefined);
      answer = await this.#post(attempt);
    }
    storeOf(this.connection).hasAnswered = true;
    if (takesNoForms(answer)) throw storeUnusable(refusalOf(answer));
    if (answer.status >= 300) throw refusalOf(answer);
    this.memory.isStored = true;
    attempt.save();
  }

  async #post({ file, signal, setState, setSent, save }: Attempt): Promise<FileAnswer> {
    const source = file();
    if (!this.#prepared) {
      setState('preparing');
      // One from before a reload: its form cannot be read again.
      await this.remove().catch(() => undefined);
      this.#prepared = await this.#prepare(source.size, source.type, signal);
      this.memory.preparedId = String(this.#prepared.databaseId);
      save();
    }
    setSent(0);
    setState('sending');
    const { href, formFields } = this.#prepared.addAttachment;
    const { fileName } = this.target;
    const answer = await this.#sendToStore({
      method: 'POST',
      url: href,
      body: {
        fields: formFields.map(({ name, value }) => [name, value]),
        name: 'file',
        file: source,
        fileName,
      },
      size: source.size,
      signal,
      onProgress: (sent) => {
        this.#maybeStored = sent >= source.size;
        setSent(sent);
      },
    });
    this.#maybeStored = false;
    return answer;
  }

  async #prepare(fileSize: number, contentType: string, signal: AbortSignal): Promise<Prepared> {
    const { containerId, fileName, description } = this.target;
    const known = contentType ? { contentType } : {};
    const input = { containerId, fileName, description, fileSize, ...known };
    const { prepareAttachmentUpload } = await this.connection.ask(
      PrepareAttachmentUploadDocument,
      { input },
      { signal },
    );
    return prepareAttachmentUpload.upload;
  }

  /** As `sendFile`, but names the store. */
  async #sendToStore(request: FileRequest): Promise<FileAnswer> {
    try {
      return await sendFile(this.connection.fetch, request);
    } catch (cause) {
      if (!(cause instanceof MoorageError && cause.isUnanswered)) throw cause;
      const silent = new MoorageError(
        cause.code,
        cause.code === 'NO_ANSWER'
          ? 'The connection to the file store was lost. Check it, then try again.'
          : 'The file store cannot be reached, or it has no CORS rule for this page. ' +
              'Check the connection. `moorage doctor` prints the rule.',
        { cause },
      );
      this.#silences += 1;
      const isUnusable =
        this.#silences > 1 && !this.#maybeStored && !storeOf(this.connection).hasAnswered;
      throw isUnusable && !isOffline() ? storeUnusable(silent) : silent;
    }
  }

  /** The service knows whether the bytes arrived whose answer was lost. */
  async #recover({ signal, save }: Attempt): Promise<void> {
    try {
      await this.#complete(signal);
      this.memory.isStored = true;
      save();
    } catch (error) {
      if (!(error instanceof MoorageError && error.status === 404)) throw error;
      this.#maybeStored = false;
    }
  }

  async #complete(signal: AbortSignal): Promise<AttachmentPartsFragment> {
    const id = this.memory.preparedId ?? '';
    const { completeAttachmentUpload } = await this.connection.ask(
      CompleteAttachmentUploadDocument,
      { id },
      { signal },
    );
    return completeAttachmentUpload.attachment;
  }
}

/** What uploads of a client have found out about its object store. */
interface Store {
  /** Whether it ever answered. A browser hides the answers of a bucket without a CORS rule. */
  hasAnswered: boolean;
  /** Whether files go through the service instead. */
  isUnusable: boolean;
}

const stores = new WeakMap<Connection, Store>();

export function storeOf(connection: Connection): Store {
  const known = stores.get(connection) ?? { hasAnswered: false, isUnusable: false };
  stores.set(connection, known);
  return known;
}

const STORE_UNUSABLE = 'STORE_UNUSABLE';

/** The store takes no forms, or lets no page of this origin send them. */
const storeUnusable = (cause: MoorageError): MoorageError =>
  new MoorageError(
    STORE_UNUSABLE,
    'The file store takes no uploads from here. An administrator can find out why with ' +
      '`moorage doctor`.',
    { status: cause.status, cause },
  );

/** Whether the file can only go through the service. */
export const needsService = (error: unknown): boolean =>
  error instanceof MoorageError &&
  (error.code === STORE_UNUSABLE ||
    (error.code === 'PROPERTY_CONSTRAINT_VIOLATION' && error.attribute === 'base'));

const takesNoForms = ({ status, text }: FileAnswer): boolean =>
  status === 405 || status === 501 || /<Code>NotImplemented</.test(text);

function refusalOf({ status, headers, text }: FileAnswer): MoorageError {
  const [, code = 'no reason'] = /<Code>([^<]*)/.exec(text) ?? [];
  return new MoorageError(
    'STORE_REFUSED',
    `The file store refused the file with the status ${status} (${code}). Try again later.`,
    { status, retryAfter: retryAfterOf(headers.get('retry-after')) },
  );
}
