/** When files changed: scripts build only what is older than its sources. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What is written there has other sources. */
const NOT_SOURCES = /(^|\/)(node_modules|dist)(\/|$)/;

/**
 * The time of the last change below some paths, in milliseconds. Folders count too: removing a file
 * makes its folder newer. A path that does not exist counts as zero.
 */
export const newest = (...paths) =>
  Math.max(
    0,
    ...paths
      .filter((path) => existsSync(path))
      .flatMap((path) => [
        path,
        ...(statSync(path).isDirectory()
          ? readdirSync(path, { recursive: true, encoding: 'utf8' })
              .filter((name) => !NOT_SOURCES.test(name))
              .map((name) => join(path, name))
          : []),
      ])
      .map((path) => statSync(path).mtimeMs),
  );
