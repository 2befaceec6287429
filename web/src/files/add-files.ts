/** Checks files before they are sent: size, type, names that are there already. */
import { AttachmentNamesDocument } from '../documents';
import { moorage } from '../service';
import { tell } from '../shell/messages';
import { say } from '../words';
import { size } from '../words/formats';

export interface Limits {
  maximumAttachmentFileSize: number;
  attachmentAllowlist: readonly string[];
}

function allowed(file: File, allowlist: readonly string[]): boolean {
  if (allowlist.length === 0) return true;
  return allowlist.some(
    (one) =>
      one === file.type ||
      (one.startsWith('*.') && file.name.toLowerCase().endsWith(one.slice(1).toLowerCase())),
  );
}

/** What may be sent. For the rest a message says why not. */
export function takeable(files: readonly File[], limits: Limits): File[] {
  return files.filter((file) => {
    const { name } = file;
    const largest = limits.maximumAttachmentFileSize;
    if (file.size > largest) {
      const limit = size(largest, { down: true });
      tell(say('refused.tooLarge', { name, size: size(file.size), limit }));
      return false;
    }
    if (!allowed(file, limits.attachmentAllowlist)) {
      tell(say('refused.type', { name }));
      return false;
    }
    return true;
  });
}

export async function namesIn(containerId: string): Promise<Set<string>> {
  const { container } = await moorage.query(AttachmentNamesDocument, { containerId });
  return new Set(container?.attachments.nodes.map(({ fileName }) => fileName));
}

/** `Plan.pdf` becomes `Plan (2).pdf`, or the next number that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
  for (let number = 2; ; number += 1) {
    const next = `${name.slice(0, dot)} (${number})${name.slice(dot)}`;
    if (!taken.has(next)) return next;
  }
}
