import type { PrepareAttachmentUploadMutation } from '../documents/index.js';
import { paths } from './paths.js';
import { linkTo } from './attachment.js';

type Upload = PrepareAttachmentUploadMutation['prepareAttachmentUpload']['upload'];

/** Interface 2.3. Its address answers 404: the form is shown this once. */
export function representUpload({
  author,
  container,
  addAttachment: { href, method, formFields },
  ...own
}: Upload) {
  const content = { href: paths.attachmentContent(own.id) };
  return {
    ...own,
    _links: {
      self: { href: paths.attachmentUpload(own.id), title: own.fileName },
      author: { href: paths.user(author.id), title: author.name },
      ...(container && { container: linkTo(container) }),
      addAttachment: {
        href,
        method,
        form_fields: Object.fromEntries(formFields.map(({ name, value }) => [name, value])),
      },
      completeUpload: { href: paths.attachmentUploaded(own.id) },
      delete: { href: paths.attachment(own.id), method: 'delete' },
      staticDownloadLocation: content,
      downloadLocation: content,
    },
  };
}
