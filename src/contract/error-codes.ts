/** The codes of errors in GraphQL (`extensions.code`), with their meanings. */
export const errorCodes = {
  INVALID_REQUEST_BODY:
    'The body cannot be read, or it is not what the operation expects. ' +
    'GraphQL: variables do not fit the document.',
  INVALID_QUERY:
    'A query parameter, filter or cursor is wrong. ' +
    'GraphQL: the document is wrong or exceeds a limit.',
  ANSWER_TOO_LARGE: 'GraphQL: the answer would be larger than 16 MiB. Nothing of it is sent.',
  UNAUTHENTICATED:
    'The credentials are missing, wrong or revoked, or the session of the cookie has ended. ' +
    'Also if `X-Signed-In-As` names another user than the session.',
  MISSING_PERMISSION:
    'The caller may see the resource, but may not do this. ' +
    'Or an access token may not write this.',
  INSUFFICIENT_SCOPE: 'The access token does not have the scope `api_v3`.',
  NOT_FOUND: 'The resource is missing, or the caller may not see it. Both give the same answer.',
  METHOD_NOT_ALLOWED: 'The path exists, but not with this method.',
  REQUEST_TIMEOUT: 'The request took too long to arrive.',
  UPDATE_CONFLICT: 'Another user changed the resource. For example, `lockVersion` is stale.',
  PRECONDITION_FAILED: 'The header `If-Match` does not match the file.',
  TYPE_NOT_SUPPORTED:
    'The media type, encoding or charset of the body is missing or not supported. ' +
    'Or no media type is available that `Accept` takes.',
  RANGE_NOT_SATISFIABLE: 'The requested range is outside the file.',
  PROPERTY_CONSTRAINT_VIOLATION: 'A member of the body is not valid. `attribute` names it.',
  MULTIPLE_ERRORS: 'Several members are not valid. Only with `API_PROFILE=openproject`.',
  TOO_MANY_REQUESTS: 'There were too many wrong passwords for a login or from a network.',
  HEADER_TOO_LARGE: 'The headers are larger than 16 KiB.',
  MISSING_ENTERPRISE_TOKEN: 'Storages of this type are switched off (`CLOUD_DRIVE_ENABLED=false`).',
  OUTBOUND_REQUEST_NOT_FOUND: 'A request to a storage failed. The message says how.',
  INTERNAL_SERVER_ERROR:
    'Moorage failed. The log has the details under the `X-Request-Id` of the answer.',
  SERVICE_UNAVAILABLE:
    'The database or the file store does not answer, the process is overloaded, ' +
    'or too many uploads or streams run.',
} as const;

export type ErrorCode = keyof typeof errorCodes;
