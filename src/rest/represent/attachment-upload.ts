/** Prepared direct uploads as HAL documents. */
import type { PrepareAttachmentUploadMutation } from '../generated/documents.js';
import { attachmentUploadMembers } from '../generated/members.js';
import { words } from '../documents/words.js';
import { linkToContainer } from './container.js';
import { paths } from './paths.js';

type Upload = PrepareAttachmentUploadMutation['prepareAttachmentUpload']['upload'];

/** The `self` link answers 404: the form is shown this once. */
export function representUpload(upload: Upload) {
  const { id, fileName, author, container } = upload;
  const { href, method, formFields } = upload.addAttachment;
  const content = { href: paths.attachmentContent(id) };
  return {
    ...attachmentUploadMembers(upload),
    _links: {
      self: { href: paths.attachmentUpload(id), title: fileName },
      author: { href: paths.user(author.id), title: author.name },
      ...(container && { container: linkToContainer(container) }),
      addAttachment: {
        href,
        method: words.uploadMethod[method],
        form_fields: Object.fromEntries(formFields.map(({ name, value }) => [name, value])),
      },
      completeUpload: { href: paths.attachmentUploaded(id) },
      delete: { href: paths.attachment(id), method: 'delete' },
      staticDownloadLocation: content,
      downloadLocation: content,
    },
  };
}
