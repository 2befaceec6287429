/** The `Upload` scalar: bytes reach a resolver as an `IncomingFile`. */
import { GraphQLError, GraphQLScalarType } from 'graphql';
import { Upload, type FileUpload } from 'graphql-upload-minimal';
import { IncomingFile } from '../http/incoming-file.js';

export const UploadScalar = new GraphQLScalarType<IncomingFile, never>({
  name: 'Upload',
  description: 'A file part of a multipart request.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue(value) {
    if (value instanceof IncomingFile) return value;
    if (value instanceof Upload) {
      const file = value.promise as Promise<FileUpload & { formEnd?: Promise<void> }>;
      const formEnd = file.then((found) => found.formEnd);
      // An upload that is refused before its form ends leaves nobody waiting.
      formEnd.catch(() => undefined);
      return new IncomingFile(async () => (await file).createReadStream(), undefined, formEnd);
    }
    throw new GraphQLError(
      'A file is sent as a part of a multipart request, see https://github.com/jaydenseric/graphql-multipart-request-spec',
    );
  },
  parseLiteral() {
    throw new GraphQLError('A file cannot be written into the document: send it as a variable.');
  },
  serialize() {
    throw new GraphQLError('An upload is input only.');
  },
});
