/** The response to a request under overload. */
import { isDeepStrictEqual } from 'node:util';

const MESSAGE = 'The service has more to do than it can at the moment. Try again shortly.';
const URN = 'urn:service-org:api:v3:errors:ServiceUnavailable';
const bodies = {
  hal: { _type: 'Error', errorIdentifier: URN, message: MESSAGE },
  graphql: {
    errors: [
      {
        message: MESSAGE,
        extensions: { code: 'SERVICE_UNAVAILABLE', errorIdentifier: URN, status: 503 },
      },
    ],
  },
};

/** @param headers with names in lower case */
export function isRefusal(
  { text, headers }: { text: string; headers: { [name: string]: unknown } },
  as: keyof typeof bodies,
): boolean {
  return (
    /^[1-9]\d*$/.test(String(headers['retry-after'])) &&
    isDeepStrictEqual(JSON.parse(text), bodies[as])
  );
}
