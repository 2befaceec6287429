import { collection } from './collection.js';
import type { AttachmentHalFragment } from '../documents/index.js';
import { paths } from './paths.js';
import type { Link } from './respond.js';

type Own = Omit<
  AttachmentHalFragment,
  'author' | 'container' | 'downloadLocation' | 'viewerCanDelete'
>;

/**
 * Interface 2.2. Lists are long, so the members are named one by one: `...own` would cost as much as printing them. The type
 * `Own` sees to it that none of the fragment is forgotten.
 */
export function representAttachment({
  _type,
  id,
  title,
  fileName,
  fileSize,
  description,
  status,
  contentType,
  digest,
  createdAt,
  author,
  container,
  downloadLocation,
  viewerCanDelete,
}: AttachmentHalFragment): Own & { _links: AttachmentLinks } {
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
  return {
    _type,
    id,
    title,
    fileName,
    fileSize,
    description,
    status,
    contentType,
    digest,
    createdAt,
    _links,
  };
}

interface AttachmentLinks {
  self: Link;
  author: Link;
  container: Link;
  staticDownloadLocation: Link;
  downloadLocation: Link;
  delete?: Link;
}

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
