/** Building blocks of the OpenAPI schemas: closed objects, links and references. */
export interface Schema {
  readonly [keyword: string]: unknown;
}
export interface Members {
  readonly [name: string]: Schema;
}

/** A closed object. A member whose name ends with `?` is optional. */
export function object(members: Members, description?: string): Schema {
  const names = Object.keys(members);
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), members[name]])),
    required: names.filter((name) => !name.endsWith('?')),
    unevaluatedProperties: false,
  };
}

/** @param description replaces the description of the component */
export const ref = (name: string, description?: string): Schema => ({
  $ref: `#/components/schemas/${name}`,
  ...(description !== undefined && { description }),
});
export const array = (items: Schema, more: Schema = {}): Schema => ({
  type: 'array',
  items,
  ...more,
});
export const constant = (value: string, description?: string): Schema => ({
  type: 'string',
  const: value,
  ...(description !== undefined && { description }),
});
export const oneOf = (...schemas: Schema[]): Schema => ({ oneOf: schemas });
export const described = (description: string, schema: Schema): Schema => ({
  ...schema,
  description,
});

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const id: Schema = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
export const count: Schema = { type: 'integer', minimum: 0 };
export const uri: Schema = { type: 'string', format: 'uri' };
export const time: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
};

/** The member that names the kind of a document. */
export const typeMember = (name: string): Schema => constant(name, 'Kind of the document.');

export const embedded = (members: Members): Schema =>
  object(members, 'Other documents, so that the client need not fetch them.');

/** A path below `/api/v3`. Each `{id}` in the template means digits. */
const path = (template: string): Schema => ({
  type: 'string',
  format: 'uri-reference',
  pattern: `^/api/v3${template.replaceAll('{id}', '[1-9]\\d*')}$`,
});

const HREF = 'Address of the target.';
const title = described('Name of the target.', text);
export const titleOf = (value: string): Schema =>
  described(title['description'] as string, constant(value));

/** A link with a given schema of its address. */
export const linkTo = (href: Schema, more: Members = {}): Schema =>
  object({ href: { description: HREF, ...href }, ...more });
/** A link to a path below `/api/v3`. */
export const link = (template: string): Schema => linkTo(path(template));
/** A link to a path below `/api/v3`, with the name of the target. */
export const titled = (template: string): Schema => linkTo(path(template), { title });
/** A link to follow with another method than GET. */
export const action = (template: string, method: string): Schema =>
  linkTo(path(template), { method: methodMember(constant(method)) });
/** A link without a target. */
export const nullLink: Schema = linkTo({
  type: 'null',
  description: 'Null: there is no target.',
});
/** A link whose address has variables in braces. The client replaces them. */
export const templated = (href: Schema, more: Members = {}): Schema =>
  linkTo(href, { ...more, templated: isTemplated });
/** A link with a title whose target is a URN of a fixed meaning. */
export const namedUrnLink = (urn: string, called: string): Schema =>
  linkTo(constant(urn, 'URN with this meaning.'), { title: titleOf(called) });
/** A link whose target is a URN of a fixed meaning, without a title. */
export const urnLink = (urn: string): Schema => linkTo(constant(urn, 'URN with this meaning.'));

export const methodMember = (schema: Schema): Schema =>
  described('HTTP method with which to follow the link.', schema);
const isTemplated: Schema = {
  type: 'boolean',
  const: true,
  description: 'The address has variables in braces, which the client replaces.',
};
export const targetTitle = title;
