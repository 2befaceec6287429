/** The vocabulary in which the representations are written down: closed objects, links, references. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** A closed object; a name that ends with `?` may be absent, every other member is always there. */
export function object(members: { readonly [name: string]: Schema }, description?: string): Schema {
  const names = Object.keys(members);
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), members[name]])),
    required: names.filter((name) => !name.endsWith('?')),
    unevaluatedProperties: false,
  };
}

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const array = (items: Schema, more: Schema = {}): Schema => ({
  type: 'array',
  items,
  ...more,
});
export const constant = (value: string): Schema => ({ type: 'string', const: value });
export const oneOf = (...schemas: Schema[]): Schema => ({ oneOf: schemas });

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const id: Schema = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
export const count: Schema = { type: 'integer', minimum: 0 };
export const time: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
};

/** The name of a target: the file name, subject, title or person. */
export const title: Schema = { type: 'string', description: 'Name of the target.' };

/** An address below `/api/v3`, its `{id}` being digits. */
export const address = (path: string): Schema => ({
  type: 'string',
  format: 'uri-reference',
  pattern: `^/api/v3${path.replaceAll('{id}', '[1-9]\\d*')}$`,
});

/** A link object without a title. */
export const link = (path: string, more: { readonly [name: string]: Schema } = {}): Schema =>
  object({ href: address(path), ...more });
export const titled = (path: string): Schema => link(path, { title });
/** A link to follow with another method than GET. */
export const action = (path: string, method: string): Schema =>
  link(path, { method: constant(method) });
