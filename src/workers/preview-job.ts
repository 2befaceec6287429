/** Makes the preview of a file, and decides what happens if that fails. */
import { giveUp, makePreview } from '../actions/files/previews/make-preview.js';
import { releasePreview } from '../actions/files/previews/preview-queue.js';
import type { Services } from '../context.js';
import { ProgramFailed } from '../drawing/run-limited.js';
import type { Preview } from '../models/preview.js';
import { retryAfter } from './retry-after.js';

/** A process may end while it draws. A file with which that happens again and again is left. */
const MAX_ATTEMPTS = 5;

export async function drawPreview(
  services: Services,
  row: Preview,
  signal: AbortSignal,
): Promise<void> {
  try {
    await makePreview(services, row, signal);
  } catch (error) {
    if (signal.aborted) return releasePreview(services, row, 0);
    const isFinal = error instanceof ProgramFailed || row.attempts >= MAX_ATTEMPTS;
    services.log.warn(
      { err: error, preview: row.id, attempts: row.attempts },
      isFinal ? 'a file has no preview' : 'a preview could not be made yet',
    );
    await (isFinal
      ? giveUp(services, row)
      : releasePreview(services, row, retryAfter(row.attempts)));
  }
}
