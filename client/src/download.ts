/** Shows and saves files without credentials. */
import type { Connection, RequestOptions } from './connection.js';
import { MoorageError } from './errors.js';
import { ContentAddressDocument } from './generated/documents.js';

export interface AddressOptions extends RequestOptions {
  /** Whether a browser saves the file, or shows it if that is safe. Default: `INLINE`. */
  disposition?: 'ATTACHMENT' | 'INLINE';
}

/** An address of a file that needs no credentials. Give it to nobody. */
export interface ContentAddress {
  href: string;
  /** Until when a download can begin, as ISO text. */
  expiresAt: string;
}

export async function contentAddress(
  connection: Connection,
  { id }: { id: string },
  { disposition = 'INLINE', ...options }: AddressOptions = {},
): Promise<ContentAddress> {
  const { attachment } = await connection.ask(ContentAddressDocument, { id, disposition }, options);
  if (attachment?.contentAddress) return attachment.contentAddress;
  throw new MoorageError(
    'MISSING_PERMISSION',
    'The file cannot be downloaded now: its upload, its virus scan or a quarantine prevents it.',
    { status: 403 },
  );
}

/** The answer says that it is a file to be saved, so the page stays. */
export function save({ href }: ContentAddress): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}
