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
    message: `The database of DATABASE_URL cannot be used: database "${url.pathname.slice(1)}" does not exist`,
  };
}

test.each([
  ['migrate --status'],
  ['verify'],
  ['folders sync'],
  ['folders sync --dry-run'],
  ['user link --login ada --subject 1'],
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

test.each([
  ['doctor', 1],
  ['schema print', 0],
])('%s creates neither files nor a key', async (command, expected) => {
  const cwd = emptyFolder();
  const { environment } = await missingDatabase();
  const { status } = await run(command.split(' '), environment, { cwd });
  expect([status, readdirSync(cwd)]).toEqual([expected, []]);
});
