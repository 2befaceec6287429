/** Validates the members of a storage that an administrator gives. */
import type { Context } from '../../../context.js';
import type { Violation } from '../../../contract/errors.js';
import type { AuthenticationMethod, Storage } from '../../../models/storage.js';
import { storageTypes, type OwnMemberName, type StorageType } from '../../../storages/types.js';
import { isLonger, isStorableText } from '../../../contract/text-rules.js';
import { originKey, pathOf, validateAddress } from '../../../outbound/address.js';

/** Members as they were given. Absent ones are undefined. */
export interface StorageInput extends Partial<{
  [name in OwnMemberName]: string | null | undefined;
}> {
  name?: string | null | undefined;
  type?: StorageType | null | undefined;
  origin?: string | null | undefined;
  authenticationMethod?: AuthenticationMethod | null | undefined;
  storageAudience?: string | null | undefined;
  tokenExchangeScope?: string | null | undefined;
  /** A string sets it, null unsets it. */
  applicationPassword?: string | null | undefined;
  /** Null means `false`. */
  automaticallyManagedFolders?: boolean | null | undefined;
}

/** Columns to change. Absent members stay. `password` is plain text, or null to unset it. */
type StorageChanges = Partial<
  Pick<
    Storage,
    | 'name'
    | 'origin'
    | 'originKey'
    | 'authenticationMethod'
    | 'storageAudience'
    | 'tokenExchangeScope'
    | 'foldersAllowed'
    | OwnMemberName
  >
> & { password?: string | null };

const MAX_LENGTH = 255;

/** Members that the API accepts for the type but ignores, even with values of a wrong type. */
export const ignoredMembers = (type: StorageType): readonly string[] => [
  ...(storageTypes[type].hasOrigin ? [] : ['applicationPassword']),
  ...(storageTypes[type].foldersNeed === 'automaticallyManagedFolders'
    ? []
    : ['automaticallyManagedFolders']),
];

/** Reads only the members of the type. The API ignores the others. */
export function validateStorage(
  { settings }: Context,
  type: StorageType,
  input: StorageInput,
): { changes: StorageChanges; violations: Violation[] } {
  const changes: StorageChanges = {};
  const violations: Violation[] = [];
  const reject = (attribute: string, message: string) => violations.push({ attribute, message });
  const text = (
    attribute: 'name' | 'storageAudience' | 'tokenExchangeScope' | OwnMemberName,
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
    } else if (isLonger(value, MAX_LENGTH))
      reject(attribute, `${label} is too long (maximum is ${MAX_LENGTH} characters).`);
    else if (!isStorableText(value) || !shape(value)) reject(attribute, `${label} is invalid.`);
    else Object.assign(changes, { [attribute]: value });
  };

  text('name', 'Name', { blank: false });
  for (const [member, { label, isValid }] of Object.entries(storageTypes[type].members))
    text(member as OwnMemberName, label, { shape: isValid });
  if (
    storageTypes[type].foldersNeed === 'automaticallyManagedFolders' &&
    input.automaticallyManagedFolders !== undefined
  )
    changes.foldersAllowed = input.automaticallyManagedFolders ?? false;
  if (!storageTypes[type].hasOrigin) return { changes, violations };

  if (input.origin !== undefined) {
    const parsed = parseOrigin(input.origin ?? '');
    if (typeof parsed === 'string') reject('host', parsed);
    else Object.assign(changes, parsed);
  }
  if (input.authenticationMethod) changes.authenticationMethod = input.authenticationMethod;
  else if (input.authenticationMethod === null)
    reject('authenticationMethod', 'Authentication method is not one of the known methods.');
  text('storageAudience', 'Storage audience');
  text('tokenExchangeScope', 'Token exchange scope');
  const { applicationPassword: password } = input;
  if (password === null || (password === '' && settings.profile.blankPasswordUnsets))
    changes.password = null;
  else if (password !== undefined && password.trim() === '')
    reject('applicationPassword', "Application password can't be blank.");
  else if (password !== undefined) changes.password = password;
  return { changes, violations };
}

/** @returns the origin as it is stored, or a message that says what is wrong with it */
function parseOrigin(value: string): { origin: string; originKey: string } | string {
  const url = validateAddress('Host', value);
  if (typeof url === 'string') return url;
  const origin = `${url.origin}${pathOf(url)}`;
  return origin.length > MAX_LENGTH
    ? `Host is too long (maximum is ${MAX_LENGTH} characters).`
    : { origin, originKey: originKey(url) };
}
