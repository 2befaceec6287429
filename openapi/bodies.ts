/** Building blocks of request bodies that the GraphQL schema does not have. */
import { MAX_FILE_NAME } from '../src/contract/limits.js';
import { inputOf, orNull } from './derive.js';
import { array, described, text, type Members, type Schema } from './shapes.js';

/** An open object: unknown members are ignored. */
export const body = (
  properties: Members,
  required: string[] = [],
  description?: string,
): Schema => ({
  type: 'object',
  ...(description !== undefined && { description }),
  properties,
  ...(required.length > 0 && { required }),
});

/** A body that is sent as JSON. */
export const json = (description: string, schema: Schema) => ({
  description,
  required: true,
  content: { 'application/json': { schema }, 'application/hal+json': { schema } },
});

/** Lengths of names, which the GraphQL schema does not have. */
export const name: Schema = { minLength: 1, maxLength: 255 };
export const nameOfFile: Schema = { minLength: 1, maxLength: MAX_FILE_NAME };

/** A text. HAL clients can also send a Formattable, of which only `raw` is read. */
export function formattable(description: string, lengths: Schema = {}): Schema {
  const raw = described('The text.', { ...text, ...lengths });
  return {
    description,
    anyOf: [{ ...text, ...lengths }, body({ raw })],
  };
}

/** Members of an input type that can be null, which removes the value. */
export const unsettable = (typeName: string, names: readonly string[]): Members =>
  Object.fromEntries(names.map((one) => [one, orNull(inputOf(typeName, one))]));

/** A link. GraphQL inputs have an id or another value instead. */
export const linkWith = (href: Schema, description: string): Schema =>
  body({ href: described('Address of the target.', href) }, ['href'], description);

export const linkToA = (segment: string, description: string): Schema =>
  linkWith({ type: 'string', pattern: `^/api/v3/${segment}/\\d{1,20}/?$` }, description);

/** A link whose target may be null. */
export const linkToNullable = (segment: string, description: string): Schema =>
  linkWith({ type: ['string', 'null'], pattern: `^/api/v3/${segment}/\\d{1,20}/?$` }, description);

/** A link to a project, by its id or its identifier. */
export const linkToProject = (description: string): Schema =>
  linkWith(
    { type: ['string', 'null'], pattern: '^/api/v3/projects/[^/?#]{1,300}/?$' },
    description,
  );

export const linksOf = (members: Members, required: string[] = []): Schema =>
  body(members, required, 'Links to related resources.');

export const attachmentsLink = (description: string): Schema =>
  array(linkToA('attachments', 'An attachment.'), { description });
export const fileLinksLink = (description: string): Schema =>
  array(linkToA('(file_links|work_packages/\\d+/file_links)', 'A file link.'), { description });
