#!/usr/bin/env node
/** The `moorage` command. */
import './threads.js';
import { ConfigError } from '../config.js';
import { commands, UsageError } from './commands.js';

const EXIT = { failure: 1, usage: 2, configuration: 78 };

const usage = `Usage: moorage COMMAND [OPTIONS]

Commands:
${Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`).join('\n')}

Options of every command:
  --json     answer as JSON on standard output
  --help     this text

The configuration comes from the environment, see README.md.
`;

async function main([name, ...rest]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === 'help' || rest.includes('--help')) {
    process.stdout.write(usage);
    return name === undefined ? EXIT.usage : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
    await command.run(rest);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const { code } = error as { code?: string };
    if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')) {
      process.stderr.write(`${(error as Error).message}\n\n${usage}`);
      return EXIT.usage;
    }
    process.stderr.write(`${error instanceof ConfigError ? error.message : `moorage ${name}: ${(error as Error).message}`}\n`);
    return error instanceof ConfigError ? EXIT.configuration : EXIT.failure;
  }
}

process.exitCode = await main(process.argv.slice(2));
