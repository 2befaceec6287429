/** The commands by name. A command is loaded when it is called, so that the help is fast. */
import type { Command } from './command.js';

export const commands: { [name: string]: Command } = {
  serve: {
    summary: 'migrate, then serve until Ctrl-C',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  migrate: {
    summary: 'bring the database up to date   [--status]',
    load: async () => (await import('./commands/migrate.js')).migrateCommand,
  },
  import: {
    summary: 'take people, projects and containers from a file   FILE [--output FILE]',
    load: async () => (await import('./commands/import.js')).importCommand,
  },
  token: {
    summary:
      'manage API keys   create --login L [--name N] | list [--login L] | ' +
      'revoke (ID | --login L --name N)',
    load: async () => (await import('./commands/token.js')).tokenCommand,
  },
  user: {
    summary: 'manage people   link --login L --subject S: an identity at the OpenID provider',
    load: async () => (await import('./commands/user.js')).userCommand,
  },
  folders: {
    summary: 'bring the project folders of storages in step   sync [STORAGE] [--dry-run]',
    load: async () => (await import('./commands/folders.js')).foldersCommand,
  },
  sweep: {
    summary: 'remove unfinished uploads, unclaimed files and expired data   [--dry-run]',
    load: async () => (await import('./commands/sweep.js')).sweepCommand,
  },
  verify: {
    summary: 'compare attachments with stored objects   [--no-digests]',
    load: async () => (await import('./commands/verify.js')).verifyCommand,
  },
  doctor: {
    summary: 'try everything that the configuration names, an upload included',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  'rotate-key': {
    summary: 'seal all stored secrets with SECRET_KEY; SECRET_KEY_PREVIOUS opens them',
    load: async () => (await import('./commands/rotate-key.js')).rotateKeyCommand,
  },
  schema: {
    summary: 'print the GraphQL schema   print',
    load: async () => (await import('./commands/schema.js')).schemaCommand,
  },
};
