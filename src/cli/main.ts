/** Runs a command of the `moorage` program. */
import { ConfigError } from '../config.js';
import { commands } from './commands.js';
import { EXIT, UsageError } from './exit-statuses.js';
import { describe } from './output.js';

const usage = `Usage: moorage COMMAND [OPTIONS]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n')}

Options of every command:
  --json     answer as JSON on standard output
  --help     this text

The configuration comes from the environment, see docs/reference/generated/settings.md.
`;

async function main([name, ...rest]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(usage);
    return name === undefined ? EXIT.usage : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
    if (rest.includes('--help') || rest.includes('-h')) process.stdout.write(usage);
    else await (await command.load())(rest);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const { code } = error as { code?: string };
    if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')) {
      process.stderr.write(`${(error as Error).message}\n\n${usage}`);
      return EXIT.usage;
    }
    process.stderr.write(
      `${error instanceof ConfigError ? error.message : `moorage ${name}: ${describe(error)}`}\n`,
    );
    return error instanceof ConfigError ? EXIT.configuration : EXIT.failure;
  }
}

// The reader of the output may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : EXIT.failure),
);
const status = await main(process.argv.slice(2));
// After a failure, open handles must not keep the process alive.
if (status !== 0) process.exit(status);
