/** `docs/reference/generated/errors.md`: the errors that clients can receive. */
import { errorUrn } from '../src/contract/error-answers.js';
import * as errors from '../src/contract/errors.js';
import { profiles } from '../src/contract/profiles.js';
import { MAX_ANSWER } from '../src/loaders/document-budget.js';
import { codeOf } from '../src/graphql/errors.js';

interface Described {
  error: errors.ApiError;
  meaning: string;
  action: string;
}

const list: readonly Described[] = [
  {
    error: new errors.InvalidRequestBody(),
    meaning:
      'The body cannot be read, or it is not what the operation expects. GraphQL: variables do not fit the document.',
    action: 'Correct the request. The message says what is wrong.',
  },
  {
    error: new errors.InvalidQuery(),
    meaning:
      'A query parameter, filter or cursor is wrong. GraphQL: the document is wrong or exceeds a limit.',
    action: 'Correct the request. The [limits](../limits.md) are listed.',
  },
  {
    error: new errors.AnswerTooLarge(MAX_ANSWER),
    meaning: 'GraphQL: the answer would be larger than 16 MiB. Nothing of it is sent.',
    action: 'Ask for fewer rows with `first`, for fewer fields, or in several documents.',
  },
  {
    error: new errors.Unauthenticated(),
    meaning:
      'The credentials are missing, wrong or revoked, or the session of the cookie has ended. ' +
      'Also if `X-Signed-In-As` names another user than the session.',
    action: 'Send a valid API key or token, or sign in again.',
  },
  {
    error: new errors.MissingPermission(),
    meaning:
      'The caller may see the resource, but may not do this. Or an access token may not write this.',
    action:
      'Ask an administrator for a role with the [permission](permissions.md). Instead of an access token, use an API key.',
  },
  {
    error: new errors.InsufficientScope(),
    meaning: 'The access token does not have the scope `api_v3`.',
    action: 'Authorize again with this scope.',
  },
  {
    error: new errors.NotFound(),
    meaning: 'The resource is missing, or the caller may not see it. Both give the same answer.',
    action: 'Check the id and the permissions.',
  },
  {
    error: new errors.MethodNotAllowed(),
    meaning: 'The path exists, but not with this method.',
    action: 'Use a method of the header `Allow`.',
  },
  {
    error: new errors.NotAcceptable(),
    meaning: 'The `Content-Type` is missing, or no acceptable media type is available.',
    action: 'Send `Content-Type`, and accept the type of the answer.',
  },
  {
    error: new errors.RequestTimeout(),
    meaning: 'The request took too long to arrive.',
    action: 'Send it again.',
  },
  {
    error: new errors.UpdateConflict(),
    meaning: 'Another user changed the resource. For example, `lockVersion` is stale.',
    action: 'Read the resource again, then repeat the change.',
  },
  {
    error: new errors.PreconditionFailed(),
    meaning: 'The header `If-Match` does not match the file.',
    action: 'Read the file again.',
  },
  {
    error: new errors.TypeNotSupported(),
    meaning: 'The media type, encoding or charset of the body is not supported.',
    action: 'Send the type that the operation expects.',
  },
  {
    error: new errors.RangeNotSatisfiable(),
    meaning: 'The requested range is outside the file.',
    action: 'Ask for a range within the size of the file.',
  },
  {
    error: new errors.PropertyConstraintViolation(),
    meaning: 'A member of the body is not valid. `attribute` names it.',
    action: 'Correct the member. `_embedded.errors` lists all violations if there are several.',
  },
  {
    error: new errors.MultipleErrors(),
    meaning: 'Several members are not valid. Only with `API_PROFILE=openproject`.',
    action: 'Correct the members in `_embedded.errors`.',
  },
  {
    error: new errors.TooManyRequests(),
    meaning: 'There were too many wrong passwords for a login or from a network.',
    action: 'Wait for `Retry-After`.',
  },
  {
    error: new errors.HeaderTooLarge(),
    meaning: 'The headers are larger than 16 KiB.',
    action: 'Send fewer or shorter headers.',
  },
  {
    error: new errors.MissingEnterpriseToken(),
    meaning: 'Storages of this type are switched off (`CLOUD_DRIVE_ENABLED=false`).',
    action: 'Ask the operator.',
  },
  {
    error: new errors.OutboundRequestFailed('the reason'),
    meaning: 'A request to a storage failed. The message says how.',
    action:
      'Try again later. Check the storage with its field `health` if the error does not go away.',
  },
  {
    error: new errors.InternalServerError(),
    meaning: 'Moorage failed. The log has the details under the `X-Request-Id` of the answer.',
    action: 'Report it to the operator.',
  },
  {
    error: new errors.ServiceUnavailable(),
    meaning:
      'The database or the file store does not answer, the process is overloaded, or too many uploads or streams run.',
    action: 'Wait for `Retry-After`, then try again.',
  },
];

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

/** @throws if an error of the contract has no description here */
function demandComplete(): void {
  const known = [errors.ApiError, ...list.map(({ error }) => error.constructor), ...otherClasses];
  for (const [name, value] of Object.entries(errors))
    if (
      typeof value === 'function' &&
      value.prototype instanceof errors.ApiError &&
      !known.includes(value)
    )
      throw new Error(`${name} has no description: add it to scripts/errors-page.ts.`);
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
    .sort((a, b) => a.error.status - b.error.status)
    .map(
      ({ error, meaning, action }) =>
        `| ${error.status} | \`${error.identifier}\` | \`${codeOf(error)}\` | ${meaning} | ${action} |`,
    );
  return `${HEAD}\n| status | identifier | GraphQL code | meaning | what to do |\n|---|---|---|---|---|\n${rows.join('\n')}\n${FOOT}`;
}
