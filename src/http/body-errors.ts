/** Turns errors of reading a body into errors of the interface, for REST and GraphQL. */
import { InvalidRequestBody, TypeNotSupported, type ApiError } from '../contract/errors.js';
import { MAX_BODY } from '../contract/limits.js';

/**
 * Options of the readers of bodies. A body with a content encoding is refused: a few bytes of it
 * could become a megabyte.
 */
export const BODY = { limit: MAX_BODY, inflate: false } as const;

export const bodyTooLarge = (): ApiError =>
  new InvalidRequestBody(`The request body is larger than ${MAX_BODY} bytes.`);

/** An error of body-parser. */
export type BodyError = Error & { expose?: boolean; status?: number; type?: string };

/**
 * The error for a body that could not be read: too long, incomplete, or in a wrong or unknown
 * encoding.
 * @returns undefined for other errors
 */
export function bodyFault({ expose, message, status, type }: BodyError): ApiError | undefined {
  switch (type) {
    case 'entity.too.large':
      return bodyTooLarge();
    case 'encoding.unsupported':
      return new TypeNotSupported(
        'The Content-Encoding of the request is not supported: send the body as it is.',
      );
    case 'charset.unsupported':
      return new TypeNotSupported('The charset of the request is not supported: send UTF-8.');
    case 'request.aborted':
    case 'request.size.invalid':
      return new InvalidRequestBody('The request body is incomplete.');
    // These messages are from JSON.parse, with the position, or from our own check.
    case 'entity.parse.failed':
    case 'entity.verify.failed':
      return new InvalidRequestBody(message);
    default:
      return expose && status === 400
        ? new InvalidRequestBody('The request body could not be read.')
        : undefined;
  }
}
