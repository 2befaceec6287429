/** Builds the API paths of drive items, from an id or from a path below the root. */
import type { Access } from '../adapter.js';
import { failureOf, nameRefused, type StorageFailure } from '../failure.js';
import { drive } from './client.js';

/** Whether a path (it begins with `/`) or an id can be that of an item. */
export const isAddressable = (item: string): boolean =>
  item.startsWith('/') ? namesIn(item).every(isName) : isName(item);

/**
 * Returns the API path of an item.
 * @param item an id, or a path that begins with `/`
 * @param action last segment, e.g. `children`
 * @throws StorageFailure `notFound` if no item can have this id or path
 */
export function itemAt(access: Access, item: string, action = ''): string {
  if (!isAddressable(item)) throw failureOf(404);
  if (!item.startsWith('/'))
    return `${drive(access)}/items/${encoded(item)}${action && `/${action}`}`;
  const names = namesIn(item);
  return names.length === 0
    ? `${drive(access)}/root${action && `/${action}`}`
    : `${below(`${drive(access)}/root`, names)}${action && `:/${action}`}`;
}

/**
 * Returns the API path of an entry of a folder. The entry need not exist.
 * @throws StorageFailure `nameRefused` if the drive does not allow the name
 */
export function childAt(access: Access, folder: string, name: string, action: string): string {
  if (!isName(name)) throw driveRefuses(name);
  if (folder.startsWith('/')) return itemAt(access, `${folder}/${name}`, action);
  return `${below(itemAt(access, folder), [name])}:/${action}`;
}

export const driveRefuses = (name: string): StorageFailure =>
  nameRefused(
    name,
    'Names hold none of " * : < > ? / \\ |, neither begin nor end with a blank, ' +
      'and some are reserved.',
  );

const below = (item: string, names: readonly string[]) =>
  `${item}:/${names.map(encoded).join('/')}`;

export const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '');

/**
 * Separators split a path even if they are percent-encoded, and `..` leaves the folder. No name
 * or id contains them.
 */
const isName = (text: string): boolean =>
  text !== '' && text.isWellFormed() && !/^\.{1,2}$|[/\\:]/.test(text);

/**
 * Percent-encodes a segment (RFC 3986). Parentheses and quotes have a meaning in the API, so they
 * are encoded as well. `!` is not: ids contain it.
 */
const encoded = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
