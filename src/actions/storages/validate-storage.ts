/** What an administrator says about a storage (interface 4.5, decisions 3). */
import type { Context } from '../../context.js';
import { type Violation } from '../../contract/errors.js';
import type { AuthenticationMethod, Storage } from '../../models/storage.js';
import { storageTypes, type OwnMemberName, type StorageType } from '../../storages/types.js';
import { isLonger, isStorableText } from '../../contract/text-rules.js';
import { originKey, pathOf, validateAddress } from '../../outbound/address.js';

/** Members as they were given; absent ones are undefined. */
export interface StorageInput extends Partial<{
  [name in OwnMemberName]: string | null | undefined;
}> {
  name?: string | null | undefined;
  type?: StorageType | null | undefined;
  origin?: string | null | undefined;
  authenticationMethod?: AuthenticationMethod | null | undefined;
  storageAudience?: string | null | undefined;
  /** A string sets it, null unsets it. */
  applicationPassword?: string | null | undefined;
}

/** The columns that an input sets; what it does not mention is absent. The password is in clear. */
export type StorageChanges = Partial<
  Pick<
    Storage,
    'name' | 'origin' | 'originKey' | 'authenticationMethod' | 'storageAudience' | OwnMemberName
  >
> & { password?: string | null };

const MAX = 255;

/** Members that are ignored whatever they are (interface 4.5). */
export const ignoredMembers = (type: StorageType): readonly string[] =>
  storageTypes[type].hasOrigin ? [] : ['applicationPassword'];

/** The members that belong to the type; the others are ignored, as the interface has it. */
export function validateStorage(
  { settings }: Context,
  type: StorageType,
  input: StorageInput,
): { changes: StorageChanges; violations: Violation[] } {
  const changes: StorageChanges = {};
  const violations: Violation[] = [];
  const reject = (attribute: string, message: string) => violations.push({ attribute, message });
  const text = (
    attribute: 'name' | 'storageAudience' | OwnMemberName,
    label: string,
    {
      blank = true,
      shape = () => true,
    }: { blank?: boolean; shape?: (value: string) => boolean } = {},
  ) => {
    const value = input[attribute];
    if (value === undefined) return;
    if (value === null || value.trim() === '') {
      if (blank) Object.assign(changes, { [attribute]: null });
      else reject(attribute, `${label} can't be blank.`);
    } else if (isLonger(value, MAX))
      reject(attribute, `${label} is too long (maximum is ${MAX} characters).`);
    else if (!isStorableText(value) || !shape(value)) reject(attribute, `${label} is invalid.`);
    else Object.assign(changes, { [attribute]: value });
  };

  text('name', 'Name', { blank: false });
  for (const [member, { label, isValid }] of Object.entries(storageTypes[type].members))
    text(member as OwnMemberName, label, { shape: isValid });
  if (!storageTypes[type].hasOrigin) return { changes, violations };

  if (input.origin !== undefined) {
    const verdict = originOf(input.origin ?? '');
    if (typeof verdict === 'string') reject('host', verdict);
    else Object.assign(changes, verdict);
  }
  if (input.authenticationMethod) changes.authenticationMethod = input.authenticationMethod;
  else if (input.authenticationMethod === null)
    reject('authenticationMethod', 'Authentication method is not one of the known methods.');
  text('storageAudience', 'Storage audience');
  const { applicationPassword: password } = input;
  if (password === null || (password === '' && settings.profile.blankPasswordUnsets))
    changes.password = null;
  else if (password !== undefined && password.trim() === '')
    reject('applicationPassword', "Application password can't be blank.");
  else if (password !== undefined) changes.password = password;
  return { changes, violations };
}

/** The origin in the form that is kept, or what is wrong with it. */
function originOf(value: string): { origin: string; originKey: string } | string {
  const url = validateAddress('Host', value);
  if (typeof url === 'string') return url;
  const origin = `${url.origin}${pathOf(url)}`;
  return origin.length > MAX
    ? `Host is too long (maximum is ${MAX} characters).`
    : { origin, originKey: originKey(url) };
}
