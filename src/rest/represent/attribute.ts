/** What a schema says about a member. */
interface Attribute {
  type: string;
  name: string;
  required: boolean;
  hasDefault: boolean;
  writable: boolean;
  [more: string]: unknown;
}

export const attribute = (
  type: string,
  name: string,
  more: Partial<Attribute> = {},
): Attribute => ({
  type,
  name,
  required: true,
  hasDefault: false,
  writable: true,
  ...more,
});
