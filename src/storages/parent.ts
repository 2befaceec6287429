/** The folder that a caller names: by a path where it begins with `/`, else by an id. */
import { StorageFailure } from './failure.js';

/** The same, unless it is a path that storages would resolve, above the user's tree too. @throws StorageFailure `notDirectory` */
export function withoutDots(parent: string): string {
  if (
    parent.startsWith('/') &&
    parent.split('/').some((segment) => segment === '.' || segment === '..')
  )
    throw new StorageFailure('notDirectory', 400, 'The parent is a path with dots.');
  return parent;
}
