/** Headers of files that pages of other origins may read: here, and at an object store. */
export const FILE_HEADERS = [
  'ETag',
  'Content-Length',
  'Content-Range',
  'Accept-Ranges',
  'Content-Disposition',
];
