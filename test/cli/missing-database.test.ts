/** Commands that only read create nothing, even without a database. */
import { readdirSync } from 'node:fs';
import { emptyFolder, endCommands, run } from '../support/cli.js';
import { databaseKind, freshDatabase } from '../support/database.js';
import { afterAll, expect, test } from '../support/jest.js';

afterAll(endCommands);

/** A missing database: the default one in an empty folder, or a name that the server does not know. */
async function missingDatabase(): Promise<{
  environment: { DATABASE_URL?: string };
  message: string;
}> {
  if (databaseKind() === 'sqlite')
    return {
      environment: {},
      message:
        'There is no file ./data/moorage.sqlite3 yet. Run `moorage migrate`, or start `moorage serve`.',
    };
  const url = new URL((await freshDatabase()).url);
  url.pathname += '_missing';
  return {
    environment: { DATABASE_URL: url.href },
    message: `database "${url.pathname.slice(1)}" does not exist`,
  };
}

test.each([
  ['migrate --status'],
  ['verify'],
  ['sweep --dry-run'],
  ['sweep'],
  ['api-key list'],
  ['api-key revoke 1'],
  ['rotate-key'],
])(
  '%s reports the missing database, exits with 1, and creates neither files nor a key',
  async (command) => {
    const cwd = emptyFolder();
    const { environment, message } = await missingDatabase();
    const args = command.split(' ');
    const { status, stdout, stderr } = await run(args, environment, { cwd });
    const words = stderr.split('\n').filter((line) => !line.startsWith('{'));
    expect({ status, stdout, words }).toEqual({
      status: 1,
      stdout: '',
      words: [`moorage ${command.replace(/ (--.*|\d)$/, '')}: ${message}`, ''],
    });
    expect(readdirSync(cwd)).toEqual([]);
  },
);
