/** Headers of answers to pages of other origins. */

/** Headers of files that pages of other origins may read: here, and at an object store. */
export const FILE_HEADERS = [
  'ETag',
  'Content-Length',
  'Content-Range',
  'Accept-Ranges',
  'Content-Disposition',
];

/** Headers of resumable uploads that pages of other origins may read. */
export const UPLOAD_HEADERS = [
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Expires',
];
