/** The measured programs: their command, and the settings of each. */

export type SubjectName = 'ours' | 'bare' | 'postgraphile';

export const SECRET_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

/** The schema of the tables that PostGraphile may see. */
export const PEER_SCHEMA = 'peer';

interface Program {
  arguments: string[];
  environment: { [name: string]: string };
  /** Whether its log is written and then discarded by the system. */
  quiet: boolean;
}

export function programOf(name: SubjectName, databaseUrl: string, blobs: string): Program {
  const shared = { NODE_ENV: 'production', DATABASE_URL: databaseUrl };
  switch (name) {
    case 'ours':
      return {
        arguments: ['dist/cli/moorage.cjs', 'serve', '--json'],
        environment: {
          ...shared,
          SECRET_KEY,
          BASE_URL: 'http://127.0.0.1',
          LOG_LEVEL: 'info',
          HOST: '127.0.0.1',
          PORT: '0',
          BLOB_STORE: `disk:${blobs}`,
          ATTACHMENT_MAX_SIZE: String(2 ** 40),
          SHUTDOWN_SECONDS: '2',
          STORAGE_ALLOW_PRIVATE: 'true',
        },
        quiet: true,
      };
    case 'bare':
      return {
        arguments: ['bench/bare/server.mjs'],
        environment: { ...shared, SECRET_KEY, UV_THREADPOOL_SIZE: '8', BLOB_FOLDER: blobs },
        quiet: false,
      };
    case 'postgraphile':
      return {
        arguments: ['bench/postgraphile/server.mjs'],
        environment: {
          ...shared,
          GRAPHILE_ENV: 'production',
          PEER_SCHEMA,
        },
        quiet: false,
      };
  }
}
