/** The `Upload` scalar: bytes reach a resolver as an `IncomingFile`. */
import { GraphQLError, GraphQLScalarType } from 'graphql';
import { Upload as MultipartUpload } from 'graphql-upload-minimal';
import { IncomingFile } from '../incoming-file.js';

export const UploadScalar = new GraphQLScalarType<IncomingFile, never>({
  name: 'Upload',
  description: 'A file part of a multipart request.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue(value) {
    if (value instanceof IncomingFile) return value;
    if (value instanceof MultipartUpload) return new IncomingFile(async () => (await value.promise!).createReadStream());
    throw new GraphQLError('A file is sent as a part of a multipart request, see https://github.com/jaydenseric/graphql-multipart-request-spec');
  },
  parseLiteral() {
    throw new GraphQLError('A file cannot be written into the document: send it as a variable.');
  },
  serialize() {
    throw new GraphQLError('An upload is input only.');
  },
});
