/** The headers of answers. An answer always has the required headers of its description. */
import type { Schema } from './shapes.js';

const header = (description: string, schema: Schema) => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
});

export const headers = {
  'X-Request-Id': header(
    'Id of the request in the log. A well-formed id from the client is taken over.',
    {
      pattern: '^[\\w-]{1,64}$',
    },
  ),
  'X-Content-Type-Options': header('Browsers must not guess another content type.', {
    const: 'nosniff',
  }),
  'Cache-Control': header('Answers depend on the client, so shared caches must not store them.', {
    const: 'private, no-cache',
  }),
  'Private-Cache-Control': header(
    'The answer contains a secret or gives access, so no cache may store it.',
    {
      const: 'private, no-store',
    },
  ),
  Location: header('Address to go to.', { pattern: '^https?://' }),
  'WWW-Authenticate': header('The authentication scheme that was refused (RFC 9110, RFC 6750).', {
    pattern: '^(Basic|Bearer|Session|Storage) realm="',
  }),
  'Scope-Challenge': {
    ...header('The scope that the access token lacks (RFC 6750).', {
      pattern: '^Bearer realm=".+", error="insufficient_scope", scope="',
    }),
    required: false,
  },
  'Retry-After': header('Seconds to wait before the next attempt.', { pattern: '^\\d+$' }),
  Allow: header('The methods that the path supports.', { pattern: '^[A-Z]+(, [A-Z]+)*$' }),
  ETag: header('The digest of the content as a strong entity tag.', { pattern: '^"[0-9a-f]+"$' }),
  'Accept-Ranges': header('Clients may request ranges of bytes.', { const: 'bytes' }),
  'Content-Disposition': header(
    'Whether a browser shows or saves the file, and its name (RFC 6266).',
    {
      pattern: '^(inline|attachment); filename',
    },
  ),
  'Content-Security-Policy': header('A shown file must not run scripts or load anything.', {
    pattern: "^default-src 'none'; .*sandbox",
  }),
  'Content-Length': {
    ...header('Size of the body in bytes. Absent for long lists without pages.', {
      pattern: '^\\d+$',
    }),
    required: false,
  },
  'Content-Range': header('Which bytes these are, and the size of the file.', {
    pattern: '^bytes \\d+-\\d+/\\d+$',
  }),
  'Unsatisfied-Range': header('The size of the file.', { pattern: '^bytes \\*/\\d+$' }),
};

// Some headers have a second variant here. These are their names in HTTP.
const aliases: { [name: string]: string } = {
  'Private-Cache-Control': 'Cache-Control',
  'Scope-Challenge': 'WWW-Authenticate',
};

export type HeaderName = keyof typeof headers;

/** References to headers, by their names in HTTP. */
export const headerRefs = (...names: HeaderName[]) =>
  Object.fromEntries(
    names.map((name) => [aliases[name] ?? name, { $ref: `#/components/headers/${name}` }]),
  );

/** The headers of every HAL document. */
export const halHeaders = headerRefs(
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
  'Content-Length',
);

/** The headers of a HAL document with a secret, which no cache may store. */
export const freshHeaders = { ...halHeaders, ...headerRefs('Private-Cache-Control') };
