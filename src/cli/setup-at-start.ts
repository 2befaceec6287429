/** What the start of a server says about the first administrator. */
import { setupLinkAtStart } from '../actions/people/directory/first-administrator.js';
import type { Config } from '../config.js';
import { withDatabase } from './services.js';

/** A new link, or when the last one was printed. */
export type Setup = { url: string; expiresAt: string } | { printedAt: string };

/** @returns undefined if the service has an administrator */
export const setupAtStart = (config: Config, baseUrl: string): Promise<Setup | undefined> =>
  withDatabase(config, async (db) => {
    const link = await setupLinkAtStart({ db, clock: () => new Date() });
    return link && 'path' in link ? { url: baseUrl + link.path, expiresAt: link.expiresAt } : link;
  });

/** Lines of the start. */
export function setupLines(setup: Setup | undefined): string[] {
  if (!setup) return [];
  return 'url' in setup
    ? ['  This link makes the first administrator, once and within an hour:', `    ${setup.url}`]
    : [
        '  There is no administrator yet. The link to make one was printed at',
        `    ${setup.printedAt}. \`moorage setup\` prints another.`,
      ];
}
