/* Generated from src/contract/error-codes.ts: npm run generate */
/** The codes of the errors of the service. Later versions can have more. */
export type ErrorCode =
  /** The body cannot be read, or it is not what the operation expects. GraphQL: variables do not fit the document. */
  | 'INVALID_REQUEST_BODY'
  /** A query parameter, filter or cursor is wrong. GraphQL: the document is wrong or exceeds a limit. */
  | 'INVALID_QUERY'
  /** GraphQL: the answer would be larger than 16 MiB. Nothing of it is sent. */
  | 'ANSWER_TOO_LARGE'
  /** The credentials are missing, wrong or revoked, or the session of the cookie has ended. Also if `X-Signed-In-As` names another user than the session. */
  | 'UNAUTHENTICATED'
  /** The caller may see the resource, but may not do this. Or an access token may not write this. */
  | 'MISSING_PERMISSION'
  /** The access token does not have the scope `api_v3`. */
  | 'INSUFFICIENT_SCOPE'
  /** The resource is missing, or the caller may not see it. Both give the same answer. */
  | 'NOT_FOUND'
  /** The path exists, but not with this method. */
  | 'METHOD_NOT_ALLOWED'
  /** The request took too long to arrive. */
  | 'REQUEST_TIMEOUT'
  /** Another user changed the resource. For example, `lockVersion` is stale. */
  | 'UPDATE_CONFLICT'
  /** The header `If-Match` does not match the file. */
  | 'PRECONDITION_FAILED'
  /** The media type, encoding or charset of the body is missing or not supported. Or no media type is available that `Accept` takes. */
  | 'TYPE_NOT_SUPPORTED'
  /** The requested range is outside the file. */
  | 'RANGE_NOT_SATISFIABLE'
  /** A member of the body is not valid. `attribute` names it. */
  | 'PROPERTY_CONSTRAINT_VIOLATION'
  /** Several members are not valid. Only with `API_PROFILE=openproject`. */
  | 'MULTIPLE_ERRORS'
  /** There were too many wrong passwords for a login or from a network. */
  | 'TOO_MANY_REQUESTS'
  /** The headers are larger than 16 KiB. */
  | 'HEADER_TOO_LARGE'
  /** Storages of this type are switched off (`CLOUD_DRIVE_ENABLED=false`). */
  | 'MISSING_ENTERPRISE_TOKEN'
  /** A request to a storage failed. The message says how. */
  | 'OUTBOUND_REQUEST_NOT_FOUND'
  /** Moorage failed. The log has the details under the `X-Request-Id` of the answer. */
  | 'INTERNAL_SERVER_ERROR'
  /** The database or the file store does not answer, the process is overloaded, or too many uploads or streams run. */
  | 'SERVICE_UNAVAILABLE';
