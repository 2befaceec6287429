/** Single views, which embed what belongs to them. */
import type {
  AttachmentHalFragment,
  AttachmentWithEmbedsFragment,
  ContainerHalFragment,
  UserHalFragment,
} from '../documents/index.js';
import { representAttachment, representAttachments } from './attachment.js';
import { representContainer } from './container.js';
import { paths } from './paths.js';
import { representUser } from './user.js';

/** The single attachment embeds its author and, where there is one, its container. */
export function representAttachmentWithEmbeds(attachment: AttachmentWithEmbedsFragment) {
  const { _links, ...own } = representAttachment(attachment);
  const author: UserHalFragment = attachment.author;
  return {
    ...own,
    _embedded: {
      author: representUser(author),
      ...(attachment.container && { container: representContainer(attachment.container) }),
    },
    _links,
  };
}

/** The single view of a work package or an activity embeds its attachments. */
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
