/** How the API addresses items: by id, or by path below the root. */
import type { Access } from '../adapter.js';
import { failureOf, nameRefused, type StorageFailure } from '../failure.js';
import { drive } from './client.js';

/** Whether an item could be at a path (which begins with `/`) or have this id. */
export const isAddressable = (item: string): boolean =>
  item.startsWith('/') ? namesIn(item).every(isName) : isName(item);

/** The path of an item in the API, with what is asked about it. @throws StorageFailure `notFound` for what cannot be addressed */
export function itemAt(access: Access, item: string, action = ''): string {
  if (!isAddressable(item)) throw failureOf(404);
  if (!item.startsWith('/'))
    return `${drive(access)}/items/${encoded(item)}${action && `/${action}`}`;
  const names = namesIn(item);
  return names.length === 0
    ? `${drive(access)}/root${action && `/${action}`}`
    : `${below(`${drive(access)}/root`, names)}${action && `:/${action}`}`;
}

/** The path of something by its name in a folder, which need not be there. @throws StorageFailure `nameRefused` for what is no name */
export function childAt(access: Access, folder: string, name: string, action: string): string {
  if (!isName(name)) throw driveRefuses(name);
  if (folder.startsWith('/')) return itemAt(access, `${folder}/${name}`, action);
  return `${below(itemAt(access, folder), [name])}:/${action}`;
}

export const driveRefuses = (name: string): StorageFailure =>
  nameRefused(
    name,
    'Names hold none of " * : < > ? / \\ |, neither begin nor end with a blank, and some are reserved.',
  );

const below = (item: string, names: readonly string[]) =>
  `${item}:/${names.map(encoded).join('/')}`;

export const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '');

/** Separators act as such even where they are encoded, and dots climb; no name and no id has them. */
const isName = (text: string): boolean =>
  text !== '' && text.isWellFormed() && !/^\.{1,2}$|[/\\:]/.test(text);

/** A segment by RFC 3986: parentheses and quotes mean something to the API. `!` stays: ids have it. */
const encoded = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
