/** The commands. A command is loaded when it is called, so that the help is fast. */
import { Command } from 'commander';
import { version } from '../contract/version.js';
import type { Described } from './command.js';

const groups: { readonly [name: string]: { summary: string; alias?: string } } = {
  'api-key': { summary: 'manage API keys', alias: 'token' },
  user: { summary: 'manage people' },
  project: { summary: 'manage projects and their members' },
  folders: { summary: 'manage the project folders of storages' },
  schema: { summary: 'show the GraphQL schema' },
};

const LOGIN = 'sign-in name of the user';
const PASSWORD = 'read the password from standard input, instead of a link';

/** By their names and arguments. */
const commands: { readonly [usage: string]: Described } = {
  serve: {
    summary: 'migrate, then serve until Ctrl-C (also without a command)',
    example: 'PORT=9000 moorage serve',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  migrate: {
    summary: 'bring the database up to date',
    example: 'moorage migrate --status',
    options: { '--status': 'list applied and pending migrations, and change nothing' },
    load: async () => (await import('./commands/migrate.js')).migrateCommand,
  },
  'copy-to <url>': {
    summary: 'copy the database of DATABASE_URL into an empty one, for example on PostgreSQL',
    example: 'moorage copy-to postgres://moorage@127.0.0.1:5432/moorage',
    load: async () => (await import('./commands/copy-to.js')).copyToCommand,
  },
  'import <file>': {
    summary: 'take people, projects and containers from a file',
    example: 'moorage import directory.json --output ids.json',
    options: { '--output <file>': 'write the new ids as JSON' },
    load: async () => (await import('./commands/import.js')).importCommand,
  },
  setup: {
    summary: 'print a link that makes the first administrator',
    example: 'moorage setup',
    load: async () => (await import('./commands/setup.js')).setupCommand,
  },
  'api-key create': {
    summary: 'create an API key and print it, this once',
    example: 'moorage api-key create --login ada --name backup',
    required: { '--login <login>': LOGIN },
    options: {
      '--name <name>': 'name of the key; default: the time',
      '--access <access>': '`read`, `files` or `full`; default: `full`',
      '--days <days>': 'life of the key; default: as the service is set',
    },
    load: async () => (await import('./commands/token.js')).createTokenCommand,
  },
  'api-key list': {
    summary: 'list API keys: id, login, name and time of creation',
    example: 'moorage api-key list --login ada',
    options: { '--login <login>': LOGIN },
    load: async () => (await import('./commands/token.js')).listTokensCommand,
  },
  'api-key revoke [id]': {
    summary: 'revoke an API key: by its id, or by login and name',
    example: 'moorage api-key revoke --login ada --name backup',
    options: { '--login <login>': LOGIN, '--name <name>': 'name of the key' },
    load: async () => (await import('./commands/token.js')).revokeTokenCommand,
  },
  'user create <login>': {
    summary: 'create a person, and print a link to set a password',
    example: 'moorage user create kim --first-name Kim --last-name Keeper --admin',
    options: {
      '--first-name <name>': 'default: the login',
      '--last-name <name>': 'last name',
      '--email <address>': 'e-mail address',
      '--admin': 'make an administrator',
      '--password-stdin': PASSWORD,
    },
    load: async () => (await import('./commands/user.js')).createUserCommand,
  },
  'user list': {
    summary: 'list people: id, login, name, address, administrator or not, status',
    example: 'moorage user list --json',
    load: async () => (await import('./commands/user.js')).listUsersCommand,
  },
  'user lock <login>': {
    summary: 'lock a person: sessions and tokens end, and API keys pause',
    example: 'moorage user lock kim',
    load: async () => (await import('./commands/user.js')).lockUserCommand,
  },
  'user unlock <login>': {
    summary: 'take a lock back',
    example: 'moorage user unlock kim',
    load: async () => (await import('./commands/user.js')).unlockUserCommand,
  },
  'user erase <login>': {
    summary: 'erase a person for ever: files, comments and history stay, under "Deleted user"',
    example: 'moorage user erase kim',
    load: async () => (await import('./commands/user.js')).eraseUserCommand,
  },
  'user password <login>': {
    summary: 'print a link to set another password, or set it',
    example: 'moorage user password kim --password-stdin < password.txt',
    options: { '--password-stdin': PASSWORD },
    load: async () => (await import('./commands/user.js')).userPasswordCommand,
  },
  'user link': {
    summary: 'link an identity at the OpenID provider to a user',
    example: 'moorage user link --login ada --subject 248289761001',
    required: { '--login <login>': LOGIN, '--subject <subject>': 'subject at the provider' },
    load: async () => (await import('./commands/user.js')).linkUserCommand,
  },
  'project create <identifier>': {
    summary: 'create a project',
    example: "moorage project create quay --name 'The quay'",
    required: { '--name <name>': 'name of the project' },
    load: async () => (await import('./commands/project.js')).createProjectCommand,
  },
  'project add-member <identifier> <login> <role>': {
    summary: 'give a person a role in a project, besides those it has',
    example: 'moorage project add-member quay kim Manager',
    load: async () => (await import('./commands/project.js')).addMemberCommand,
  },
  'folders sync [storage]': {
    summary: 'bring the project folders of one storage, or of all, in step',
    example: 'moorage folders sync Plans --dry-run',
    options: { '--dry-run': 'print every change and make none' },
    load: async () => (await import('./commands/folders.js')).syncFoldersCommand,
  },
  audit: {
    summary: 'print the audit: one line of JSON for each entry, the oldest first',
    example: 'moorage audit > audit.ndjson',
    load: async () => (await import('./commands/audit.js')).auditCommand,
  },
  sweep: {
    summary: 'remove unfinished uploads, unclaimed files and expired data',
    example: 'moorage sweep --dry-run',
    options: { '--dry-run': 'count only' },
    load: async () => (await import('./commands/sweep.js')).sweepCommand,
  },
  verify: {
    summary: 'compare attachments with stored objects',
    example: 'moorage verify --no-digests',
    options: { '--no-digests': 'check sizes only' },
    load: async () => (await import('./commands/verify.js')).verifyCommand,
  },
  'backup-done': {
    summary: 'tell the service that a backup is complete; administrators see when',
    example: 'moorage backup-done',
    load: async () => (await import('./commands/backup-done.js')).backupDoneCommand,
  },
  doctor: {
    summary: 'try everything that the configuration names, an upload included',
    example: 'moorage doctor',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  'rotate-key': {
    summary: 'seal all stored secrets with SECRET_KEY; SECRET_KEY_PREVIOUS opens them',
    example: 'SECRET_KEY_PREVIOUS=… SECRET_KEY=… moorage rotate-key',
    load: async () => (await import('./commands/rotate-key.js')).rotateKeyCommand,
  },
  'schema print': {
    summary: 'print the GraphQL schema',
    example: 'moorage schema print > schema.graphql',
    load: async () => (await import('./commands/schema.js')).schemaCommand,
  },
};

const SETTINGS = `
Settings come from the environment, see docs/reference/generated/settings.md.`;

/** The command line. Its mistakes are thrown as CommanderError, when their message is written. */
export function programOf(): Command {
  const program = new Command('moorage')
    .exitOverride()
    .version(version)
    .option('--json', 'answer as JSON on standard output')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError()
    .addHelpText('after', SETTINGS);
  for (const [usage, described] of Object.entries(commands)) {
    const [first = '', second] = usage.split(' ');
    const group = groups[first] && groupOf(program, first, groups[first]);
    add(group ?? program, group ? usage.slice(first.length + 1) : usage, described);
    if (group && second === undefined) throw new Error(`${first} is a group and a command.`);
  }
  return program;
}

function groupOf(
  program: Command,
  name: string,
  { summary, alias }: { summary: string; alias?: string },
): Command {
  const known = program.commands.find((one) => one.name() === name);
  if (known) return known;
  const group = program.command(name).description(summary);
  return alias === undefined ? group : group.alias(alias);
}

function add(parent: Command, usage: string, described: Described): void {
  const { summary, example, required = {}, options = {}, load } = described;
  const command = parent
    .command(usage)
    .description(summary)
    .addHelpText('after', `\nExample:\n  ${example}`);
  for (const [flags, text] of Object.entries(required)) command.requiredOption(flags, text);
  for (const [flags, text] of Object.entries(options)) command.option(flags, text);
  command.action(async (...given) => {
    const run = await load();
    // The last one is the command, before it the options.
    await run(command.optsWithGlobals<never>(), ...(given.slice(0, -2) as (string | undefined)[]));
  });
}
