/** What both readers of bodies share: the REST one of a single object and the GraphQL one of an operation. */
import { InvalidRequestBody, TypeNotSupported, type ApiError } from '../contract/errors.js';

/** Bytes of a body, unpacked, without its file. */
export const MAX_BODY = 1024 * 1024;

/** What body-parser throws: a kind, or the error of a packed body with a status. */
export type BodyError = Error & { expose?: boolean; status?: number; type?: string };

/** What to tell of a body that could not be read: too long, cut off, or in a coding that it does not have or we do not speak. Undefined for other errors. */
export function bodyFault({ expose, message, status, type }: BodyError): ApiError | undefined {
  switch (type) {
    case 'entity.too.large':
      return new InvalidRequestBody(`The request body is larger than ${MAX_BODY} bytes.`);
    case 'encoding.unsupported':
      return new TypeNotSupported('The Content-Encoding of the request is not supported.');
    case 'charset.unsupported':
      return new TypeNotSupported('The charset of the request is not supported: send UTF-8.');
    case 'request.aborted':
    case 'request.size.invalid':
      return new InvalidRequestBody('The request body is incomplete.');
    // The words of JSON.parse, which name the place, and our own.
    case 'entity.parse.failed':
    case 'entity.verify.failed':
      return new InvalidRequestBody(message);
    default:
      return expose && status === 400
        ? new InvalidRequestBody('The request body could not be read.')
        : undefined;
  }
}
