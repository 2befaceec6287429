/** `docs/reference/generated/errors.md`: the errors that clients can receive. */
import { errorUrn } from '../src/contract/error-answers.js';
import { errorCodes, type ErrorCode } from '../src/contract/error-codes.js';
import * as errors from '../src/contract/errors.js';
import { profiles } from '../src/contract/profiles.js';
import { MAX_ANSWER } from '../src/loaders/document-budget.js';
import { codeOf } from '../src/graphql/errors.js';

/** One of each class. */
const list: readonly errors.ApiError[] = [
  new errors.InvalidRequestBody(),
  new errors.InvalidQuery(),
  new errors.AnswerTooLarge(MAX_ANSWER),
  new errors.Unauthenticated(),
  new errors.MissingPermission(),
  new errors.InsufficientScope(),
  new errors.NotFound(),
  new errors.MethodNotAllowed(),
  new errors.NotAcceptable(),
  new errors.RequestTimeout(),
  new errors.UpdateConflict(),
  new errors.PreconditionFailed(),
  new errors.TypeNotSupported(),
  new errors.RangeNotSatisfiable(),
  new errors.PropertyConstraintViolation(),
  new errors.TooLarge(),
  new errors.MultipleErrors(),
  new errors.TooManyRequests(),
  new errors.HeaderTooLarge(),
  new errors.MissingEnterpriseToken(),
  new errors.OutboundRequestFailed('the reason'),
  new errors.InternalServerError(),
  new errors.ServiceUnavailable(),
];

const actions: { readonly [code in ErrorCode]: string } = {
  INVALID_REQUEST_BODY: 'Correct the request. The message says what is wrong.',
  INVALID_QUERY: 'Correct the request. The [limits](../limits.md) are listed.',
  ANSWER_TOO_LARGE: 'Ask for fewer rows with `first`, for fewer fields, or in several documents.',
  UNAUTHENTICATED: 'Send a valid API key or token, or sign in again.',
  MISSING_PERMISSION:
    'Ask an administrator for a role with the [permission](permissions.md). ' +
    'Instead of an access token, use an API key.',
  INSUFFICIENT_SCOPE: 'Authorize again with this scope.',
  NOT_FOUND: 'Check the id and the permissions.',
  METHOD_NOT_ALLOWED: 'Use a method of the header `Allow`.',
  REQUEST_TIMEOUT: 'Send it again.',
  UPDATE_CONFLICT: 'Read the resource again, then repeat the change.',
  PRECONDITION_FAILED: 'Read the file again.',
  TYPE_NOT_SUPPORTED:
    'Send the `Content-Type` that the operation expects, and accept the type of the answer.',
  RANGE_NOT_SATISFIABLE: 'Ask for a range within the size of the file.',
  PROPERTY_CONSTRAINT_VIOLATION:
    'Correct the member. `_embedded.errors` lists all violations if there are several.',
  MULTIPLE_ERRORS: 'Correct the members in `_embedded.errors`.',
  TOO_MANY_REQUESTS: 'Wait for `Retry-After`.',
  HEADER_TOO_LARGE: 'Send fewer or shorter headers.',
  MISSING_ENTERPRISE_TOKEN: 'Ask the operator.',
  OUTBOUND_REQUEST_NOT_FOUND:
    'Try again later. Check the storage with its field `health` if the error does not go away.',
  INTERNAL_SERVER_ERROR: 'Report it to the operator.',
  SERVICE_UNAVAILABLE: 'Wait for `Retry-After`, then try again.',
};

/** They share a row with their base class, which has the same status. */
const otherClasses: readonly unknown[] = [
  errors.NamedViolation,
  errors.MissingProperty,
  errors.MisformattedProperty,
  errors.SessionEnded,
  errors.BlankFile,
  errors.Overloaded,
  errors.StorageUnauthenticated,
];

/** @throws if an error of the contract is missing here, or its code in the table of codes */
function demandComplete(): void {
  const known = [errors.ApiError, ...list.map((error) => error.constructor), ...otherClasses];
  for (const [name, value] of Object.entries(errors))
    if (
      typeof value === 'function' &&
      value.prototype instanceof errors.ApiError &&
      !known.includes(value)
    )
      throw new Error(`${name} has no description: add it to scripts/errors-page.ts.`);
  const thrown = [...new Set(list.map(codeOf))].sort().join();
  const described = Object.keys(errorCodes).sort().join();
  if (thrown !== described)
    throw new Error(`src/contract/error-codes.ts has ${described}, but errors have ${thrown}.`);
}

const HEAD = `<!-- Generated from src/contract/errors.ts: npm run generate -->
# Errors

REST and GraphQL make the same decision, so an error has the same identifier and status in both.

**REST** answers with a HAL document:

\`\`\`json
{
  "_type": "Error",
  "errorIdentifier": "${errorUrn(profiles.standard, new errors.PropertyConstraintViolation())}",
  "message": "File name can't be blank.",
  "_embedded": { "details": { "attribute": "fileName" } }
}
\`\`\`

**GraphQL** adds \`extensions\` to each error: \`code\`, \`errorIdentifier\`, \`status\`, and \`attribute\` if the error belongs to one member.
The codes are the values of the enum \`ErrorCode\` in the schema. Codes of GraphQL libraries, such as \`GRAPHQL_VALIDATION_FAILED\`, are never sent.

Checks run in this order: credentials (401), content type (406, 415), visibility (404), permission (403), the body (400), its members (422).
What [no access token may write](permissions.md#access-tokens-of-applications) is refused (403) before visibility.

The identifier is the last part of the URN \`${errorUrn(profiles.standard, new errors.NotFound()).replace('NotFound', '…')}\`.
`;

const FOOT = `
## The profile openproject

With \`API_PROFILE=openproject\` the URN is \`${errorUrn(profiles.openproject, new errors.NotFound()).replace('NotFound', '…')}\`. Some errors have other identifiers:

| error | identifier |
|---|---|
| a required member is missing | \`PropertyMissingError\` |
| a member has a wrong format | \`PropertyFormatError\` |
| several violations | \`MultipleErrors\` |
| a storage refused access | \`OutboundRequest:Forbidden\` |
| a storage did not find the file | \`OutboundRequest:NotFound\` |
| a storage failed in another way | \`InternalServerError\` |

Some errors have another status too:

- A missing part of an upload is 422 \`PropertyConstraintViolation\`: "File can't be blank."
- An absent member of a new folder, or of an upload to a storage, is 400 \`InvalidRequestBody\`.

A caller without a token that the storage accepts gets 401 \`Unauthenticated\` for files, folders and uploads of the storage. The message says what to do.
`;

export function errorsPage(): string {
  demandComplete();
  const rows = [...list]
    .sort((a, b) => a.status - b.status)
    .map((error) => {
      const code = codeOf(error);
      return `| ${error.status} | \`${error.identifier}\` | \`${code}\` | ${errorCodes[code]} | ${actions[code]} |`;
    });
  return `${HEAD}\n| status | identifier | GraphQL code | meaning | what to do |\n|---|---|---|---|---|\n${rows.join('\n')}\n${FOOT}`;
}
