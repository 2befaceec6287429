/** Attachments as HAL documents. */
import type { AttachmentHalFragment } from '../generated/documents.js';
import { attachmentMembers } from '../generated/members.js';
import { collection } from './collection.js';
import { linkToContainer } from './container.js';
import { paths } from './paths.js';
import type { Link } from './respond.js';

export function representAttachment(attachment: AttachmentHalFragment): HalAttachment {
  const { id, fileName, author, container, downloadLocation, viewerCanDelete } = attachment;
  const self = paths.attachment(id);
  const content = { href: paths.attachmentContent(id) };
  const _links: AttachmentLinks = {
    self: { href: self, title: fileName },
    author: { href: paths.user(author.id), title: author.name },
    container: container ? linkToContainer(container) : { href: null },
    staticDownloadLocation: content,
    downloadLocation: downloadLocation === null ? content : { href: downloadLocation },
  };
  if (viewerCanDelete) _links.delete = { href: self, method: 'delete' };
  return Object.assign(attachmentMembers(attachment), { _links });
}

type HalAttachment = ReturnType<typeof attachmentMembers> & { _links: AttachmentLinks };

interface AttachmentLinks {
  self: Link;
  author: Link;
  container: Link;
  staticDownloadLocation: Link;
  downloadLocation: Link;
  delete?: Link;
}

export const representAttachments = (
  self: string,
  { totalCount, nodes }: { totalCount: number; nodes: AttachmentHalFragment[] },
) => collection(self, totalCount, nodes.map(representAttachment));
