/** Attachments as HAL documents. */
import {
  attachmentMembers,
  type AttachmentHalFragment,
  type AttachmentMembersFragment,
} from '../generated/documents.js';
import { words } from '../documents/words.js';
import { collection } from './collection.js';
import { paths } from './paths.js';
import type { Link } from './respond.js';

export function representAttachment(attachment: AttachmentHalFragment): HalAttachment {
  const { id, title, status, author, container, downloadLocation, viewerCanDelete } = attachment;
  const self = paths.attachment(id);
  const content = { href: paths.attachmentContent(id) };
  const _links: AttachmentLinks = {
    self: { href: self, title },
    author: { href: paths.user(author.id), title: author.name },
    container: container ? linkTo(container) : { href: null },
    staticDownloadLocation: content,
    downloadLocation: downloadLocation === null ? content : { href: downloadLocation },
  };
  if (viewerCanDelete) _links.delete = { href: self, method: 'delete' };
  return Object.assign(attachmentMembers(attachment), {
    status: words.attachmentStatus[status],
    _links,
  });
}

type HalAttachment = Omit<AttachmentMembersFragment, 'status'> & {
  status: string;
  _links: AttachmentLinks;
};

interface AttachmentLinks {
  self: Link;
  author: Link;
  container: Link;
  staticDownloadLocation: Link;
  downloadLocation: Link;
  delete?: Link;
}

/** A link to a container. A comment has no title. */
export function linkTo({
  _type,
  id,
  title,
}: NonNullable<AttachmentHalFragment['container']>): Link {
  const href = paths.container(_type, id);
  return title === null ? { href } : { href, title };
}

export const representAttachments = (
  self: string,
  { totalCount, nodes }: { totalCount: number; nodes: AttachmentHalFragment[] },
) => collection(self, totalCount, nodes.map(representAttachment));
