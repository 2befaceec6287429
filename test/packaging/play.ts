/** Runs the commands of a page as a reader would. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, type Command } from '../support/cli.js';
import { bashCommand, succeeded } from './checkout.js';
import type { Block } from './pages.js';

/** Variables of the pages. They are kept for later blocks, as in a terminal. */
const VARIABLES = ['KEY', 'ADMIN', 'ROB', 'FILE'];

export class Player {
  /** Blocks that have run. */
  readonly played: Block[] = [];
  readonly #curlHome: string;

  /** @param replacements for addresses of the pages */
  constructor(
    readonly folder: string,
    readonly replacements: { [text: string]: string },
  ) {
    // Unlike on the page, an error status fails here, and each response has its own line.
    this.#curlHome = join(folder, 'curl');
    mkdirSync(this.#curlHome);
    writeFileSync(
      join(this.#curlHome, '.curlrc'),
      'silent\nshow-error\nfail-with-body\nwrite-out = "\\n"\n',
    );
  }

  start(block: Block): Command {
    this.played.push(block);
    return this.command(block.text);
  }

  command(text: string): Command {
    let adapted = text;
    for (const [from, to] of Object.entries(this.replacements))
      adapted = adapted.replaceAll(from, to);
    const keep = VARIABLES.map((name) => `declare -p ${name}`).join('; ');
    return bashCommand(
      `touch variables; source ./variables; trap '{ ${keep}; } > variables 2>/dev/null || true' EXIT\n${adapted}`,
      this.folder,
      { CURL_HOME: this.#curlHome },
    );
  }

  /** @returns the standard output @throws if a command of the block fails */
  async run(block: Block): Promise<string> {
    return succeeded(await this.start(block).outcome);
  }
}

/** Starts the demo with `npm start`. The copy has its dependencies and is built. */
export async function startDemo(
  folder: string,
): Promise<{ server: Command; address: string; fileServer: string }> {
  const server = bashCommand('exec npm start --ignore-scripts', folder, { PORT: '0' });
  await until(
    () => server.ended || server.stdout.includes('Ctrl-C stops.'),
    'the server listens',
    60_000,
  );
  const [, address = ''] = /^Moorage \S+ listens on (\S+)$/m.exec(server.stdout) ?? [];
  const [, fileServer = ''] = /^ +file server +(\S+)$/m.exec(server.stdout) ?? [];
  return { server, address, fileServer };
}

/** Ends a command and its children, which share its process group. */
export function endGroup(command: Command | undefined): void {
  if (command && !command.ended) process.kill(-command.child.pid!, 'SIGKILL');
}

/** The responses of a block, one for each line. JSON is parsed. */
export const answers = (stdout: string): unknown[] =>
  stdout
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line.startsWith('{"') ? (JSON.parse(line) as unknown) : line));
