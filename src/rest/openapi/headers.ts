/** The headers of answers; required ones are always sent with the answers that name them. */
import type { Schema } from './shapes.js';

const header = (description: string, schema: Schema) => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
});

export const headers = {
  'X-Request-Id': header('Names the request in the log; a well-formed one of the client is kept.', {
    pattern: '^[\\w-]{1,64}$',
  }),
  'X-Content-Type-Options': header('The content type is meant as it is.', { const: 'nosniff' }),
  'Cache-Control': header('Answers depend on who asks.', { const: 'private, no-cache' }),
  'Private-Cache-Control': header('What is told once, or gives access, is kept nowhere.', {
    const: 'private, no-store',
  }),
  Location: header('Where the content is.', { pattern: '^https?://' }),
  'WWW-Authenticate': header('The scheme that was refused (RFC 7235, RFC 6750).', {
    pattern: '^(Basic|Bearer|Session) realm="',
  }),
  'Scope-Challenge': {
    ...header('The scope that the access token lacks (RFC 6750).', {
      pattern: '^Bearer realm=".+", error="insufficient_scope", scope="',
    }),
    required: false,
  },
  'Retry-After': header('Seconds after which to try again.', { pattern: '^\\d+$' }),
  Allow: header('The methods that the path supports.', { pattern: '^[A-Z]+(, [A-Z]+)*$' }),
  ETag: header('The digest of the content as a strong entity tag.', { pattern: '^"[0-9a-f]+"$' }),
  'Accept-Ranges': header('Parts can be asked for by range.', { const: 'bytes' }),
  'Content-Disposition': header('Whether to show or to save, and the file name (RFC 6266).', {
    pattern: '^(inline|attachment); filename',
  }),
  'Content-Security-Policy': header('Keeps a shown file from running or loading anything.', {
    pattern: "^default-src 'none'; .*sandbox",
  }),
  'Content-Length': header('Bytes of this answer.', { pattern: '^\\d+$' }),
  'Content-Range': header('Which bytes of how many.', { pattern: '^bytes \\d+-\\d+/\\d+$' }),
  'Unsatisfied-Range': header('How many bytes there are.', { pattern: '^bytes \\*/\\d+$' }),
};

// Under other names than on the wire: these differ from answer to answer.
const aliases: { [name: string]: string } = {
  'Private-Cache-Control': 'Cache-Control',
  'Scope-Challenge': 'WWW-Authenticate',
};

export type HeaderName = keyof typeof headers;

/** References to headers by their names on the wire. */
export const named = (...names: HeaderName[]) =>
  Object.fromEntries(
    names.map((name) => [aliases[name] ?? name, { $ref: `#/components/headers/${name}` }]),
  );

/** What accompanies every HAL document. */
export const halHeaders = named(
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
  'Content-Length',
);

/** What accompanies a HAL document that is told once. */
export const freshHeaders = { ...halHeaders, ...named('Private-Cache-Control') };
