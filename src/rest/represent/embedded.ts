/** Documents that embed related ones. */
import type {
  AttachmentHalFragment,
  AttachmentWithEmbedsFragment,
  ContainerHalFragment,
  UserMembersFragment,
} from '../generated/documents.js';
import { representAttachment, representAttachments } from './attachment.js';
import { representContainer } from './container.js';
import { paths } from './paths.js';
import { representUser, type Reader } from './user.js';

/** An attachment with its author and, if it has one, its container. */
export function representAttachmentWithEmbeds(
  reader: Reader,
  attachment: AttachmentWithEmbedsFragment,
) {
  const { _links, ...own } = representAttachment(attachment);
  const author: UserMembersFragment = attachment.author;
  return {
    ...own,
    _embedded: {
      author: representUser(reader, author),
      ...(attachment.container && { container: representContainer(attachment.container) }),
    },
    _links,
  };
}

/** A work package or an activity with its attachments. */
export function representWithAttachments(
  container: ContainerHalFragment & {
    attachments: { totalCount: number; nodes: AttachmentHalFragment[] };
  },
) {
  const { _links, ...own } = representContainer(container);
  return {
    ...own,
    _embedded: {
      attachments: representAttachments(
        paths.containerAttachments(container._type, container.id),
        container.attachments,
      ),
    },
    _links,
  };
}
