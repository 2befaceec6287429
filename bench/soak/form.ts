/** Uploads of text in two parts, as a body and its type. */
const BOUNDARY = 'soak-6b0f2d91c4';

/** Bytes of the downloaded files. */
export const FILE_BYTES = 64 * 1024;
/** The number of file links in the list. */
export const LINKS = 20;

interface Form {
  type: string;
  text: string;
}

const form = (metadata: object, content: string): Form => ({
  type: `multipart/form-data; boundary=${BOUNDARY}`,
  text:
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="metadata"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(metadata)}\r\n` +
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="upload.txt"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`,
});

/** A file of this size. */
export const small = (bytes: number): Form =>
  form({ fileName: 'upload.txt' }, 'moored\n'.repeat(Math.ceil(bytes / 7)).slice(0, bytes));

/** Refused with 422, because the file has no name. */
export const nameless: Form = form({}, 'moored\n');
