/** Checks files before they are sent: size, and names that are there already. The service knows types. */
import { AttachmentNamesDocument, type AttachmentNamesQuery } from '../generated/documents';
import { allPages, moorage } from '../service';
import { tell } from '../shell/messages';
import { say } from '../words';
import { size } from '../words/formats';

interface Limits {
  maximumAttachmentFileSize: number;
}

/** Files that the systems of people write by themselves. */
const SYSTEM_FILES = /^(\.DS_Store|\._.*|Thumbs\.db|ehthumbs\.db|desktop\.ini|~\$.*)$/i;

/** What is sent. For the rest a message says why not. */
export function takeable(files: readonly File[], limits: Limits): File[] {
  const own = files.filter(({ name }) => !SYSTEM_FILES.test(name));
  if (own.length < files.length) tell(say('refused.system', { count: files.length - own.length }));
  return own.filter((file) => {
    const { name } = file;
    const largest = limits.maximumAttachmentFileSize;
    if (file.size > largest) {
      const limit = size(largest, { down: true });
      tell(say('refused.tooLarge', { name, size: size(file.size), limit }));
      return false;
    }
    return true;
  });
}

/** A name as people see it: a Mac writes an accent as a character of its own. */
export const keyOf = (name: string): string => name.normalize('NFC');

/** What has a name: an attachment, or a file that was added just now. */
export interface Taken {
  attachment?: NonNullable<AttachmentNamesQuery['container']>['attachments']['nodes'][number];
  file?: File;
}

/** What has the names in a container, by their keys. */
export async function namesIn(containerId: string): Promise<Map<string, Taken>> {
  const files = await allPages(async (after) => {
    const { container } = await moorage.query(AttachmentNamesDocument, { containerId, after });
    return container?.attachments;
  });
  return new Map(files.map((attachment) => [keyOf(attachment.fileName), { attachment }]));
}

/** How many files come to a name that is taken, also by one of them that comes before. */
export function countTaken(files: readonly File[], taken: ReadonlyMap<string, Taken>): number {
  const seen = new Set(taken.keys());
  let count = 0;
  for (const { name } of files) {
    if (seen.has(keyOf(name))) count += 1;
    else seen.add(keyOf(name));
  }
  return count;
}

/** `Plan.pdf` becomes `Plan (2).pdf`, or the next number that is free. @param taken keys of names */
export function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const dot = endOfStem(name);
  for (let number = 2; ; number += 1) {
    const next = `${name.slice(0, dot)} (${number})${name.slice(dot)}`;
    if (!taken.has(keyOf(next))) return next;
  }
}

/** Where the extension of a name begins. */
export function endOfStem(name: string): number {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? dot : name.length;
}

/** Characters of a description. */
const LONGEST = 255;

/** The folder of a path, so that it is not lost: `site/`. A long one loses its beginning. */
export function folderOf(path: string): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return (folder.length > LONGEST ? `…${folder.slice(1 - LONGEST)}` : folder) || undefined;
}
