/** The scalar `Upload`: a resolver receives the file as an `IncomingFile`. */
import { GraphQLError, GraphQLScalarType } from 'graphql';
import { IncomingFile } from '../http/incoming-file.js';

export const UploadScalar = new GraphQLScalarType<IncomingFile, never>({
  name: 'Upload',
  description:
    'The content of a file. It is sent as a part of a multipart request; the variable itself is ' +
    'null. The specification describes the format.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue(value) {
    if (value instanceof IncomingFile) return value;
    throw new GraphQLError(
      'A file is sent as a part of a multipart request, ' +
        'see https://github.com/jaydenseric/graphql-multipart-request-spec',
    );
  },
  parseLiteral() {
    throw new GraphQLError('A file cannot be written into the document: send it as a variable.');
  },
  serialize() {
    throw new GraphQLError('An upload is input only.');
  },
});
