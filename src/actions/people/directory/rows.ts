/** Defines the shapes of the rows in a directory file. */
import { z } from 'zod';
import { hexColor } from '../../../contract/css-colors.js';
import { permissions } from '../../../policies/permissions.js';
import { isReservedLogin } from '../../../models/user.js';
import { MIN_KEY_LENGTH } from '../../../secrets/keys-and-tokens.js';
import { MAX_WORK_PACKAGE_DESCRIPTION } from '../../../contract/limits.js';
import { isPassword, PASSWORD_RULE } from './password-rules.js';
import { isLonger, isStorableText } from '../../../contract/text-rules.js';
import { validateAddress } from '../../../outbound/address.js';

const text = (max = 255) =>
  z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(max, `must have at most ${max} characters`)
    .refine(isStorableText, 'must not contain NUL or broken characters');
const ref = text();

const MAX_AVATAR_URL = 2_000;
const avatarUrl = text(MAX_AVATAR_URL).superRefine((value, issues) => {
  const address = validateAddress('The address', value, { query: true });
  if (typeof address === 'string') issues.addIssue({ code: 'custom', message: address });
});

// An optional member that is absent gets its default in a new row. An existing row keeps its value.

export const userRow = z.strictObject({
  login: text().refine((login) => !isReservedLogin(login.toLowerCase()), 'is reserved'),
  firstName: text(),
  lastName: z
    .string()
    .trim()
    .max(255)
    .refine(isStorableText, 'must not contain NUL or broken characters'),
  email: text().nullish(),
  avatarUrl: avatarUrl.nullish(),
  admin: z.boolean().optional(),
  status: z.enum(['active', 'locked']).optional(),
  password: z.string().refine(isPassword, `must have ${PASSWORD_RULE}`).optional(),
  apiKeys: z
    .array(
      z.strictObject({
        name: text(),
        key: z
          .string()
          .min(MIN_KEY_LENGTH, `must have at least ${MIN_KEY_LENGTH} characters`)
          .max(255)
          .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces'),
      }),
    )
    .refine(
      (keys) => new Set(keys.map(({ name }) => name)).size === keys.length,
      'must not name a key twice',
    )
    .default([]),
});

export const roleRow = z.strictObject({
  name: text(),
  permissions: z.array(z.enum(permissions, 'is not a permission')),
});

const color = z
  .string()
  .refine((text) => hexColor(text) !== undefined, 'must be a CSS color such as #1A67A3')
  .transform((text) => hexColor(text) ?? null)
  .nullish();
export const statusRow = z.strictObject({
  name: text(),
  color,
  closed: z.boolean().optional(),
  default: z.boolean().optional(),
});
export const typeRow = z.strictObject({ name: text(), color, default: z.boolean().optional() });

export const projectRow = z.strictObject({
  identifier: text(),
  name: text(),
  public: z.boolean().optional(),
  active: z.boolean().optional(),
  /** The identifier of another project; null for none. */
  parent: text().nullish(),
  /** Names of types. An empty list allows all types. */
  types: z.array(text()).optional(),
});
/** A membership without roles is deleted. */
export const membershipRow = z.strictObject({ user: text(), roles: z.array(text()) });
export const storageRow = text();

export const activityRow = z.strictObject({
  ref,
  comment: z
    .string()
    .min(1, 'must not be blank')
    .refine(isStorableText, 'must not contain NUL or broken characters'),
  author: text(),
  internal: z.boolean().optional(),
});
export const workPackageRow = z.strictObject({
  ref,
  subject: text(),
  author: text(),
  description: z
    .string()
    .refine(
      (value) => !isLonger(value, MAX_WORK_PACKAGE_DESCRIPTION),
      `must have at most ${MAX_WORK_PACKAGE_DESCRIPTION} characters`,
    )
    .refine(isStorableText, 'must not contain NUL or broken characters')
    .optional(),
  status: text().optional(),
  type: text().optional(),
  /** Logins; null for nobody. */
  assignee: text().nullish(),
  responsible: text().nullish(),
  activities: z.array(z.unknown()).default([]),
});
export const titledRow = z.strictObject({ ref, title: text(), author: text() });
export const subjectRow = z.strictObject({ ref, subject: text(), author: text() });

export type UserRow = z.infer<typeof userRow>;
export type RoleRow = z.infer<typeof roleRow>;
export type MembershipRow = z.infer<typeof membershipRow>;
/** A container that has a name. */
export interface ContainerRow {
  ref: string;
  author: string;
  subject?: string;
  title?: string;
  description?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  assignee?: string | null | undefined;
  responsible?: string | null | undefined;
  activities?: unknown[];
}
