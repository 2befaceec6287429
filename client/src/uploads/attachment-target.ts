/** What a new attachment is called, and where it belongs. */
export interface AttachmentTarget {
  /** Global id. Without it, a container can claim the attachment later. */
  containerId?: string | undefined;
  fileName: string;
  description?: string | undefined;
  /** Global id of an attachment that gets the new content. It has no other description then. */
  replaces?: string | undefined;
}
