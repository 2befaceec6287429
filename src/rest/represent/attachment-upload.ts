/** Prepared direct uploads as HAL documents. */
import {
  attachmentUploadMembers,
  type PrepareAttachmentUploadMutation,
} from '../generated/documents.js';
import { linkTo } from './attachment.js';
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
      ...(container && { container: linkTo(container) }),
      addAttachment: {
        href,
        method,
        form_fields: Object.fromEntries(formFields.map(({ name, value }) => [name, value])),
      },
      completeUpload: { href: paths.attachmentUploaded(id) },
      delete: { href: paths.attachment(id), method: 'delete' },
      staticDownloadLocation: content,
      downloadLocation: content,
    },
  };
}
