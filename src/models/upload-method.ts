/** The methods of HTTP that send a file to another service. */
import { registerEnumType } from 'type-graphql';

export enum UploadMethod {
  POST = 'post',
  PUT = 'put',
}
registerEnumType(UploadMethod, {
  name: 'UploadMethod',
  description: 'The method of HTTP that sends a file.',
  valuesConfig: {
    POST: { description: 'The file is a part of a form.' },
    PUT: { description: 'The content of the file is the body.' },
  },
});
