/** Checks files before they are sent: size, and names that are there already. The service knows types. */
import { AttachmentNamesDocument } from '../generated/documents';
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

/** The keys of the names in a container. */
export async function namesIn(containerId: string): Promise<Set<string>> {
  const files = await allPages(async (after) => {
    const { container } = await moorage.query(AttachmentNamesDocument, { containerId, after });
    return container?.attachments;
  });
  return new Set(files.map(({ fileName }) => keyOf(fileName)));
}

/** `Plan.pdf` becomes `Plan (2).pdf`, or the next number that is free. @param taken keys of names */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
  for (let number = 2; ; number += 1) {
    const next = `${name.slice(0, dot)} (${number})${name.slice(dot)}`;
    if (!taken.has(keyOf(next))) return next;
  }
}
