/** The folder that a request names: a path if it begins with `/`, otherwise an id. */
import { StorageFailure } from './failure.js';

/** No storage has deeper folders. The limit bounds the requests: one for each level. */
const MOST_LEVELS = 250;

/** @throws StorageFailure for a path with too many folders */
export function demandDepth(names: readonly string[]): void {
  if (names.length > MOST_LEVELS)
    throw new StorageFailure('unexpected', 200, 'The folder lies too deep.');
}

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

/** The name of the file or folder at a path. */
export const nameAt = (location: string): string =>
  location === '/' ? 'Root' : location.slice(location.lastIndexOf('/') + 1);
