/** Runs a command of the `moorage` program. */
import { CommanderError, type Command } from 'commander';
import { ConfigError } from '../config.js';
import { programOf } from './commands.js';
import { EXIT, UsageError } from './exit-statuses.js';
import { describe } from './output.js';

/** Without a command, options are those of `serve`. */
const servesAlone = ([first]: string[]): boolean =>
  first === undefined || (first.startsWith('-') && !/^(-h|--help|-V|--version)$/.test(first));

/** Such as `api-key list`. */
const nameOf = (command: Command): string =>
  [command.parent?.parent && command.parent.name(), command.name()].filter(Boolean).join(' ');

async function main(given: string[]): Promise<number> {
  const program = programOf();
  let running: Command = program;
  program.hook('preAction', (_program, command) => void (running = command));
  try {
    await program.parseAsync(servesAlone(given) ? ['serve', ...given] : given, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // It is written already: a text that was asked for, or a mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    if (error instanceof UsageError) {
      process.stderr.write(`error: ${error.message}\n\n${running.helpInformation()}`);
      return EXIT.usage;
    }
    process.stderr.write(
      `${error instanceof ConfigError ? error.message : `moorage ${nameOf(running)}: ${describe(error)}`}\n`,
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
