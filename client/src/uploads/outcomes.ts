/** Waits until the service has checked and scanned what was uploaded. */
import { sleep } from '../back-off.js';
import type { Connection } from '../connection.js';
import {
  AttachmentChangesDocument,
  AttachmentStatesDocument,
  type AttachmentChangesSubscription,
  type AttachmentPartsFragment,
} from '../generated/documents.js';
import { MoorageError } from '../errors.js';
import { subscribe } from '../subscribe.js';

/** The names that the subscription takes. */
type Subject = { containerId: string } | { attachmentId: string };

/** How often the service is asked, with and without a stream. */
const POLL_MS = { withStream: 10_000, without: 2_000 };
/** How long a completion waits for its stream, which would say why a file was rejected. */
const OPEN_MS = 3_000;
/** The service answers so many ids at once. */
const BATCH = 100;

type Change = AttachmentChangesSubscription['attachmentChanged'];

interface Waiting {
  /** @param attachment null if it is gone */
  see(attachment: Change['attachment'], reason?: string | null): void;
  fail(error: unknown): void;
}

interface Stream {
  subject: Subject;
  users: number;
  isOpen: boolean;
  opened: Promise<unknown>;
  ending: AbortController;
}

export class Outcomes {
  readonly #waiting = new Map<string, Waiting>();
  /** At most one: browsers open few connections to a service. Other uploads are asked for. */
  #stream: Stream | undefined;
  #isPolling = false;
  /** What the stream said, also of attachments for which nobody waits yet. */
  readonly #changes = new Map<string, Change>();

  constructor(private readonly connection: Connection) {}

  /** Listens to the changes of a container or attachment, if no other stream is open. */
  listen(subject: Subject): { opened: Promise<unknown>; release(): void } {
    const stream = (this.#stream ??= this.#open(subject));
    if (JSON.stringify(stream.subject) !== JSON.stringify(subject))
      return { opened: Promise.resolve(), release: () => undefined };
    stream.users += 1;
    return {
      opened: stream.opened,
      release: () => {
        stream.users -= 1;
        if (stream.users > 0) return;
        stream.ending.abort();
        this.#stream = undefined;
        this.#changes.clear();
      },
    };
  }

  /**
   * @param options.isScanned whether the service scans files
   * @param options.onScanning called when the file waits for its scan
   * @throws MoorageError `REJECTED` or `QUARANTINED`, or the reason of the signal
   */
  async wait(
    attachment: AttachmentPartsFragment,
    {
      isScanned,
      onScanning,
      signal,
    }: { isScanned: boolean; onScanning(): void; signal: AbortSignal },
  ): Promise<AttachmentPartsFragment> {
    const { id } = attachment;
    const abort = () => this.#waiting.get(id)?.fail(signal.reason);
    try {
      return await new Promise<AttachmentPartsFragment>((resolve, reject) => {
        const see: Waiting['see'] = (found, reason) => {
          if (!found) reject(rejected(attachment.fileName, reason));
          else if (found.status === 'QUARANTINED') reject(quarantined(found.fileName, reason));
          else if (found.status === 'UPLOADED' && isScanned) onScanning();
          else if (found.status !== 'PREPARED') resolve(found);
        };
        this.#waiting.set(id, { see, fail: reject });
        signal.addEventListener('abort', abort);
        if (signal.aborted) abort();
        else {
          const change = this.#changes.get(id);
          see(change ? change.attachment : attachment, change?.reason);
        }
        if (!this.#isPolling) void this.#poll();
      });
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener('abort', abort);
    }
  }

  #open(subject: Subject): Stream {
    let opened: () => void = () => undefined;
    const ending = new AbortController();
    const opening = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const stream: Stream = {
      subject,
      users: 0,
      isOpen: false,
      opened: Promise.race([opening, sleep(OPEN_MS, ending.signal).catch(() => undefined)]),
      ending,
    };
    const onState = (state: string) => {
      stream.isOpen = state === 'open';
      if (stream.isOpen) opened();
    };
    this.#read(subject, { signal: ending.signal, onState })
      // A refusal shows in the answers to polls too.
      .catch(() => undefined)
      .finally(() => onState('closed'));
    return stream;
  }

  async #read(
    subject: Subject,
    options: { signal: AbortSignal; onState(state: string): void },
  ): Promise<void> {
    for await (const { attachmentChanged: change } of subscribe(
      this.connection,
      AttachmentChangesDocument,
      subject,
      options,
    )) {
      this.#changes.set(change.attachmentId, change);
      this.#waiting.get(change.attachmentId)?.see(change.attachment, change.reason);
    }
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    while (this.#waiting.size > 0) {
      await sleep(this.#stream?.isOpen ? POLL_MS.withStream : POLL_MS.without);
      const ids = [...this.#waiting.keys()];
      for (let from = 0; from < ids.length; from += BATCH)
        await this.#ask(ids.slice(from, from + BATCH));
    }
    this.#isPolling = false;
  }

  async #ask(ids: string[]): Promise<void> {
    try {
      const { nodes } = await this.connection.ask(AttachmentStatesDocument, { ids });
      ids.forEach((id, index) => {
        // Cast: all ids are those of attachments.
        const found = nodes[index] as AttachmentPartsFragment | null | undefined;
        this.#waiting.get(id)?.see(found ?? null);
      });
    } catch (error) {
      if (!(error instanceof MoorageError && error.isTemporary))
        for (const id of ids) this.#waiting.get(id)?.fail(error);
    }
  }
}

const rejected = (fileName: string, reason?: string | null) =>
  new MoorageError(
    'REJECTED',
    `${fileName} was not kept: ${reason ?? 'the service rejected it, or somebody deleted it.'}`,
    { status: 422 },
  );

const quarantined = (fileName: string, reason?: string | null) =>
  new MoorageError(
    'QUARANTINED',
    `${fileName} cannot be used: the virus scan found ${reason ?? 'malware'}.`,
    { status: 422 },
  );
