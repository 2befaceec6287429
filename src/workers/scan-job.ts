/** Scans a file for viruses, and decides what happens if that fails. */
import { releaseLease } from '../actions/base/leases/attachment-queues.js';
import { scanAttachment } from '../actions/files/attachments/scan-attachment.js';
import type { Services } from '../context.js';
import type { Attachment } from '../models/attachment.js';
import { FileNotScannable, ScannerUnavailable, type Scanner } from '../scanning/scanner.js';
import { retryAfter } from './retry-after.js';
import type { WorkerPool } from './worker-pool.js';

/**
 * Pause before a file that the scanner refused is tried again. The operator may have raised the
 * scanner's limit.
 */
const REFUSED_MS = 3_600_000;

export async function scan(
  services: Services & { scanner: Scanner },
  row: Attachment,
  pool: WorkerPool<Attachment>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await scanAttachment(services, row, signal);
    pool.resume();
  } catch (error) {
    if (error instanceof FileNotScannable) {
      services.log.error({ err: error, attachment: row.id }, 'a file cannot be scanned');
      return releaseLease(services, row, REFUSED_MS);
    }
    const isUnavailable = error instanceof ScannerUnavailable;
    if (!signal.aborted)
      services.log.warn(
        { err: error, attachment: row.id },
        isUnavailable ? 'the virus scanner does not answer' : 'a file could not be scanned yet',
      );
    // Without the scanner no file can be scanned, so the whole pool pauses, not the single file.
    if (isUnavailable) pool.pause(retryAfter);
    const delay = signal.aborted || isUnavailable ? 0 : retryAfter(row.attempts);
    await releaseLease(services, row, delay);
  }
}
