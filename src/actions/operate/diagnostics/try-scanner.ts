/** Checks whether the virus scanner works, and reads what the settings allow. */
import { Readable } from 'node:stream';
import type { Services } from '../../../context.js';
import { errorText } from '../../../contract/error-text.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';

const SCANNER_OFF = 'off; CLAMD_URL names a scanner';

const HARMLESS = Buffer.from('Nothing to be found here.');

type ScannerNeeds = Pick<Services, 'db' | 'scanner' | 'settings'>;

/** Largest number of held files in one line. */
const LISTED_FILES = 20;

async function checkScanLimits(
  { settings, db }: ScannerNeeds,
  scanner: NonNullable<Services['scanner']>,
): Promise<string> {
  const { attachmentMaxSize: largest } = settings;
  if (!(await scanner.reads(largest)))
    throw new Error(
      `The scanner does not read files of ${largest} bytes (ATTACHMENT_MAX_SIZE) to their end. ` +
        'Raise StreamMaxLength, MaxFileSize and MaxScanSize in its clamd.conf, and set ' +
        'AlertExceedsMax. Or lower ATTACHMENT_MAX_SIZE. SCAN_TOO_LARGE says what happens to ' +
        'larger files.',
    );
  const held = await Attachment.query(db.read)
    .whereIn('status', [AttachmentStatus.UPLOADED, AttachmentStatus.RESCAN])
    .where('phase', 'kept')
    .whereNotNull('scan_note')
    .orderBy('id')
    .limit(LISTED_FILES + 1);
  const ids = held.slice(0, LISTED_FILES).map(({ id }) => id);
  const more = held.length > LISTED_FILES ? ' and more' : '';
  return (
    `files up to ATTACHMENT_MAX_SIZE (${largest} bytes) are read to their end` +
    (ids.length > 0 ? `; not scanned yet: the attachments ${ids.join(', ')}${more}` : '')
  );
}

/** @throws Error with what to do */
export async function tryScanner(services: ScannerNeeds): Promise<string> {
  const { scanner } = services;
  if (!scanner) return SCANNER_OFF;
  let found: string;
  try {
    const { version } = await scanner.check();
    const verdict = await scanner.scan(Readable.from([HARMLESS]));
    if (!verdict.clean) throw new Error(`The scanner finds ${verdict.signature} in harmless text.`);
    found = version;
  } catch (error) {
    throw new Error(
      `${errorText(error)} Check CLAMD_URL, and that clamd runs and has its signatures.`,
    );
  }
  return `${found}; ${await checkScanLimits(services, scanner)}`;
}
