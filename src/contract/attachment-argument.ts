/** Reads the attachment that an argument names. */
import { idOf } from './ids.js';

export interface AttachmentArgument {
  /** Undefined: no attachment can have this id. */
  id: number | undefined;
}

/** Reads a global id or an integer id. */
export const optionalAttachment = (
  id: string | null | undefined,
): AttachmentArgument | undefined =>
  id === null || id === undefined ? undefined : { id: idOf('Attachment', id) };
