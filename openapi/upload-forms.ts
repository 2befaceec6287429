/** Request bodies that are forms: uploads, and their preparation. */
import { MAX_DESCRIPTION } from '../src/contract/limits.js';
import { body, formattable, nameOfFile } from './bodies.js';
import { inputOf, inputsOf, textOf } from './derive.js';

const metadataEncoding = { metadata: { contentType: 'application/json' } };

/** The two-part form of a regular upload. */
export const upload = {
  description: 'A form of exactly two parts, in either order.',
  required: true,
  content: {
    'multipart/form-data': {
      schema: body(
        {
          metadata: body(
            {
              fileName: { ...inputOf('CreateAttachmentInput', 'fileName'), ...nameOfFile },
              description: formattable(textOf('CreateAttachmentInput', 'description'), {
                maxLength: MAX_DESCRIPTION,
              }),
            },
            ['fileName'],
            'Data about the file, as JSON.',
          ),
          file: {
            description:
              'The content. The part must have a filename. It is ignored: the file gets the ' +
              'name in `metadata`.',
          },
        },
        ['metadata', 'file'],
      ),
      encoding: {
        ...metadataEncoding,
        file: {
          contentType: '*/*',
          headers: {
            'Content-Disposition': {
              required: true,
              schema: { type: 'string' },
              description: 'Must carry a filename.',
            },
          },
        },
      },
    },
  },
};

/** The form that prepares a direct upload. */
export const preparation = {
  description: 'A form without the file. Parts besides `metadata` are ignored.',
  required: true,
  content: {
    'multipart/form-data': {
      schema: body(
        {
          metadata: body(
            {
              ...inputsOf('PrepareAttachmentUploadInput', {
                fileName: nameOfFile,
                contentType: { maxLength: 255 },
              }),
              // HAL clients may send a Formattable.
              description: formattable(textOf('PrepareAttachmentUploadInput', 'description'), {
                maxLength: MAX_DESCRIPTION,
              }),
              digest: {
                ...inputOf('PrepareAttachmentUploadInput', 'digest'),
                properties: inputsOf('DigestInput', { hash: { pattern: '^[0-9A-Fa-f]+$' } }),
                required: ['algorithm', 'hash'],
              },
            },
            ['fileName', 'fileSize'],
            'Data about the file, as JSON.',
          ),
        },
        ['metadata'],
      ),
      encoding: metadataEncoding,
    },
  },
};
