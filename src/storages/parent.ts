/** Checks the folder that a request names: a path if it begins with `/`, otherwise an id. */
import { StorageFailure } from './failure.js';

/**
 * Returns the parent unchanged. A storage would resolve `.` and `..`, even above the user's tree.
 * @throws StorageFailure `notDirectory` for a path with such segments
 */
export function withoutDots(parent: string): string {
  if (
    parent.startsWith('/') &&
    parent.split('/').some((segment) => segment === '.' || segment === '..')
  )
    throw new StorageFailure('notDirectory', 400, 'The parent is a path with dots.');
  return parent;
}
