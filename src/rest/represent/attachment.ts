import { collection } from '../collection.js';
import type { AttachmentHalFragment, AttachmentWithEmbedsFragment, UserHalFragment } from '../documents.js';
import { paths } from '../paths.js';
import { representContainer } from './container.js';
import { representUser } from './user.js';

/** Interface 2.2. */
export function representAttachment({ author, container, viewerCanDelete, ...own }: AttachmentHalFragment) {
  const self = paths.attachment(own.id);
  const content = paths.attachmentContent(own.id);
  return {
    ...own,
    _links: {
      self: { href: self, title: own.title },
      author: { href: paths.user(author.id), title: author.name },
      container: container ? { href: paths.container(container._type, container.id), ...(container.title !== null && { title: container.title }) } : { href: null },
      staticDownloadLocation: { href: content },
      downloadLocation: { href: content },
      ...(viewerCanDelete && { delete: { href: self, method: 'delete' } }),
    },
  };
}

/** The single attachment embeds its author and, where there is one, its container. */
export function representAttachmentWithEmbeds(attachment: AttachmentWithEmbedsFragment) {
  const { _links, ...own } = representAttachment(attachment);
  const author: UserHalFragment = attachment.author;
  return {
    ...own,
    _embedded: { author: representUser(author), ...(attachment.container && { container: representContainer(attachment.container) }) },
    _links,
  };
}

export const representAttachments = (self: string, { totalCount, nodes }: { totalCount: number; nodes: AttachmentHalFragment[] }) =>
  collection(self, totalCount, nodes.map(representAttachment));
