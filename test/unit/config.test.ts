/** The settings of the environment: defaults, values and mistakes. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError, type Command } from 'commander';
import { programOf } from '../../src/cli/commands.js';
import { UsageError } from '../../src/cli/exit-statuses.js';
import { ConfigError, readConfig } from '../../src/config.js';
import { printedSchema } from '../../src/graphql/schema.js';
import { endCommands, run } from '../support/cli.js';
import { afterAll, describe, expect, test } from '../support/jest.js';

afterAll(endCommands);

const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const BASE_URL = 'https://files.example.org';
const production = { NODE_ENV: 'production', SECRET_KEY: KEY, BASE_URL };

function mistakes(environment: { [name: string]: string }): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

const file = (content: string) => {
  const path = join(mkdtempSync(join(tmpdir(), 'moorage-config-')), 'value');
  writeFileSync(path, content);
  return path;
};

describe('an empty environment', () => {
  test('gives a server on 127.0.0.1:8080 with an embedded database and local files below ./data', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      demo: true,
      host: '127.0.0.1',
      port: 8080,
      baseUrl: undefined,
      database: { client: 'sqlite', file: './data/moorage.sqlite3' },
      blobs: { kind: 'disk', root: './data/blobs' },
      fileGroupAccess: false,
      attachmentMaxSize: 512 * 1024 * 1024,
      attachmentAllowlist: [],
      digestAlgorithm: 'sha256',
      attachmentGraceMinutes: 180,
      uploadUrlSeconds: 900,
      downloadUrlSeconds: 300,
      attachmentsPerContainer: 10_000,
      downloadsPerUser: 32,
      downloadStallSeconds: 64,
      uploadStallSeconds: 64,
      pendingUploads: 500,
      pendingUploadBytes: 53_687_091_200,
      scanner: undefined,
      scanAction: 'quarantine',
      scanPolicy: 'closed',
      backgroundWork: true,
      leaseSeconds: 60,
      corsOrigins: [],
      trustProxy: false,
      logLevel: 'info',
      workers: 1,
      introspection: true,
      drainSeconds: 0,
      shutdownSeconds: 30,
      secretKey: undefined,
      secretKeyPrevious: undefined,
      openId: undefined,
      storageConnectTimeoutMs: 3000,
      storageTimeoutMs: 10_000,
      storageAllowPrivate: true,
      cloudDriveEnabled: true,
      cloudDriveLoginUrl: 'https://login.microsoftonline.com',
      cloudDriveApiUrl: 'https://graph.microsoft.com/v1.0',
      metricsPort: undefined,
      busyRequests: 16,
    });
  });

  test('gives the same as empty values', () => {
    const empty = Object.fromEntries(
      [
        'PORT',
        'HOST',
        'BASE_URL',
        'DATABASE_URL',
        'BLOB_STORE',
        'ATTACHMENT_MAX_SIZE',
        'ATTACHMENT_ALLOWLIST',
        'DIGEST_ALGORITHM',
        'API_PROFILE',
        'LOG_LEVEL',
        'WORKERS',
        'WORKERS_FILE',
      ].map((name) => [name, '']),
    );
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  test('gives the same as an environment with unknown variables', () => {
    expect(
      readConfig({ EDITOR: 'vi', OIDC_SOMETHING: 'https://example.org', S3_SOMETHING: 'b' }),
    ).toEqual(readConfig({}));
  });
});

describe('values', () => {
  test.each([
    ['HOST', '::1', { host: '::1' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['BASE_URL', 'https://files.example.org/', { baseUrl: 'https://files.example.org' }],
    ['BASE_URL', 'HTTPS://Files.Example.Org:443/', { baseUrl: 'https://files.example.org' }],
    ['BASE_URL', ' http://[::1]:8080\n', { baseUrl: 'http://[::1]:8080' }],
    [
      'DATABASE_URL',
      'sqlite:/var/lib/moorage/db',
      { database: { client: 'sqlite', file: '/var/lib/moorage/db' } },
    ],
    [
      'DATABASE_URL',
      'sqlite:///var/lib/moorage/db',
      { database: { client: 'sqlite', file: '/var/lib/moorage/db' } },
    ],
    [
      'DATABASE_URL',
      'postgres://u:p@h:5432/d',
      { database: { client: 'postgres', url: 'postgres://u:p@h:5432/d' } },
    ],
    [
      'DATABASE_URL',
      'postgresql://h/d',
      { database: { client: 'postgres', url: 'postgresql://h/d' } },
    ],
    ['BLOB_STORE', 'disk:/srv/files', { blobs: { kind: 'disk', root: '/srv/files' } }],
    [
      'CLAMD_URL',
      'tcp://clam.example.org:3310',
      { scanner: { host: 'clam.example.org', port: 3310 } },
    ],
    ['CLAMD_URL', 'tcp://[::1]:3310', { scanner: { host: '::1', port: 3310 } }],
    ['CLAMD_URL', 'unix:/run/clamd.sock', { scanner: { path: '/run/clamd.sock' } }],
    ['SCAN_ACTION', 'delete', { scanAction: 'delete' }],
    ['SCAN_POLICY', 'open', { scanPolicy: 'open' }],
    ['UPLOAD_URL_SECONDS', '60', { uploadUrlSeconds: 60 }],
    ['DOWNLOAD_URL_SECONDS', '60', { downloadUrlSeconds: 60 }],
    ['BACKGROUND_WORK', 'false', { backgroundWork: false }],
    ['ATTACHMENT_MAX_SIZE', '10737418240', { attachmentMaxSize: 10_737_418_240 }],
    ['ATTACHMENT_MAX_SIZE', '5MB', { attachmentMaxSize: 5_000_000 }],
    ['ATTACHMENT_MAX_SIZE', '1.5 gib', { attachmentMaxSize: 1_610_612_736 }],
    [
      'ATTACHMENT_ALLOWLIST',
      ' image/PNG, text/* ,*.CSV,',
      { attachmentAllowlist: ['image/png', 'text/*', '*.csv'] },
    ],
    ['DIGEST_ALGORITHM', 'md5', { digestAlgorithm: 'md5' }],
    ['ATTACHMENT_GRACE_MINUTES', '0', { attachmentGraceMinutes: 0 }],
    [
      'CORS_ORIGINS',
      'https://app.example.org, http://localhost:3000',
      { corsOrigins: ['https://app.example.org', 'http://localhost:3000'] },
    ],
    ['TRUST_PROXY', 'true', { trustProxy: true }],
    ['TRUST_PROXY', 'off', { trustProxy: false }],
    ['TRUST_PROXY', '2', { trustProxy: 2 }],
    [
      'TRUST_PROXY',
      'loopback, 10.0.0.0/8, fd00::1',
      { trustProxy: 'loopback, 10.0.0.0/8, fd00::1' },
    ],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['GRAPHQL_INTROSPECTION', 'false', { introspection: false }],
    ['SHUTDOWN_SECONDS', '0', { shutdownSeconds: 0 }],
    ['DRAIN_SECONDS', '15', { drainSeconds: 15 }],
    ['STORAGE_CONNECT_TIMEOUT_MS', '50', { storageConnectTimeoutMs: 50 }],
    ['STORAGE_TIMEOUT_MS', '500', { storageTimeoutMs: 500 }],
    ['STORAGE_ALLOW_PRIVATE', 'false', { storageAllowPrivate: false }],
    ['CLOUD_DRIVE_ENABLED', 'false', { cloudDriveEnabled: false }],
    [
      'CLOUD_DRIVE_LOGIN_URL',
      'https://login.microsoftonline.us/',
      { cloudDriveLoginUrl: 'https://login.microsoftonline.us' },
    ],
    [
      'CLOUD_DRIVE_API_URL',
      'http://127.0.0.1:1/v1.0',
      { cloudDriveApiUrl: 'http://127.0.0.1:1/v1.0' },
    ],
    ['METRICS_PORT', '9464', { metricsPort: 9464 }],
    ['BUSY_REQUESTS', '200', { busyRequests: 200 }],
    ['SECRET_KEY', KEY, { secretKey: Buffer.from(KEY, 'hex') }],
    [
      'SECRET_KEY',
      Buffer.from(KEY, 'hex').toString('base64'),
      { secretKey: Buffer.from(KEY, 'hex') },
    ],
    ['SECRET_KEY_PREVIOUS', KEY, { secretKeyPrevious: Buffer.from(KEY, 'hex') }],
  ])('%s=%s is accepted', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  test('production shows no internals, calls no private address, and needs a key and an address', () => {
    expect(readConfig(production)).toMatchObject({
      production: true,
      introspection: false,
      storageAllowPrivate: false,
    });
    expect(mistakes({ NODE_ENV: 'production' })).toEqual([
      expect.stringMatching(/^SECRET_KEY is needed in production/),
      `BASE_URL is needed in production: the public address, such as ${BASE_URL}`,
    ]);
    expect(
      mistakes({ NODE_ENV: 'production', SECRET_KEY: 'short', BASE_URL: 'files.example.org' }),
    ).toEqual([
      expect.stringMatching(/^BASE_URL must be/),
      expect.stringMatching(/^SECRET_KEY must be 32 bytes/),
    ]);
  });

  test('an OpenID provider needs its address, and our client or audience', () => {
    const OIDC_ISSUER = 'https://id.example.org';
    const linkBy = ['preferred_username', 'email'];
    expect(
      readConfig({ OIDC_ISSUER, OIDC_CLIENT_ID: 'moorage', OIDC_CLIENT_SECRET: 's' }).openId,
    ).toEqual({
      issuer: OIDC_ISSUER,
      clientId: 'moorage',
      audience: 'moorage',
      clientSecret: 's',
      linkBy,
    });
    expect(
      readConfig({ OIDC_ISSUER, OIDC_CLIENT_ID: 'moorage', OIDC_AUDIENCE: 'files' }).openId,
    ).toEqual({
      issuer: OIDC_ISSUER,
      clientId: 'moorage',
      audience: 'files',
      clientSecret: undefined,
      linkBy,
    });
    expect(readConfig({ OIDC_ISSUER, OIDC_AUDIENCE: 'files' }).openId).toEqual({
      issuer: OIDC_ISSUER,
      clientId: 'files',
      audience: 'files',
      clientSecret: undefined,
      linkBy,
    });
    expect(
      ['', '/', '/application/o/app/'].map(
        (path) =>
          readConfig({ OIDC_ISSUER: OIDC_ISSUER + path, OIDC_CLIENT_ID: 'moorage' }).openId!.issuer,
      ),
    ).toEqual([OIDC_ISSUER, `${OIDC_ISSUER}/`, `${OIDC_ISSUER}/application/o/app/`]);
    expect(mistakes({ OIDC_ISSUER })).toEqual([
      'OIDC_CLIENT_ID or OIDC_AUDIENCE is needed with OIDC_ISSUER',
    ]);
    expect(mistakes({ OIDC_CLIENT_ID: 'moorage' })).toEqual([
      'OIDC_ISSUER is needed with the other OIDC_ variables',
    ]);
  });

  test.each([
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['127.0.0.1.example.org', false],
    ['192.168.0.1', false],
  ])('a demo directory at the address %s: %s', (HOST, demo) => {
    for (const NODE_ENV of ['development', 'test', ''])
      expect(readConfig({ HOST, NODE_ENV }).demo).toBe(demo);
    expect(readConfig({ ...production, HOST }).demo).toBe(false);
  });

  test('OIDC_LINK_BY is a list of claims or none', () => {
    const linkBy = (OIDC_LINK_BY: string) =>
      readConfig({
        OIDC_ISSUER: 'https://id.example.org',
        OIDC_CLIENT_ID: 'moorage',
        OIDC_LINK_BY,
      }).openId!.linkBy;
    expect(['none', 'email', ' email, preferred_username', ''].map(linkBy)).toEqual([
      [],
      ['email'],
      ['email', 'preferred_username'],
      ['preferred_username', 'email'],
    ]);
  });

  test('the digest algorithm follows the profile unless it is named', () => {
    const digest = (environment: { [name: string]: string }) =>
      readConfig(environment).digestAlgorithm;
    expect([
      digest({ API_PROFILE: 'standard' }),
      digest({ API_PROFILE: 'openproject' }),
      digest({ API_PROFILE: 'openproject', DIGEST_ALGORITHM: 'sha256' }),
    ]).toEqual(['sha256', 'md5', 'sha256']);
  });

  test('several workers need a fixed port and PostgreSQL', () => {
    expect(readConfig({ WORKERS: '4', DATABASE_URL: 'postgres://h/d' })).toMatchObject({
      workers: 4,
    });
    expect(mistakes({ WORKERS: '2' })).toEqual([expect.stringMatching(/^WORKERS .*PostgreSQL/)]);
    expect(mistakes({ WORKERS: '2', DATABASE_URL: 'postgres://h/d', PORT: '0' })).toEqual([
      expect.stringMatching(/^PORT /),
    ]);
  });
});

describe('mistakes', () => {
  test.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['BASE_URL', 'files.example.org'],
    ['BASE_URL', 'ftp://example.org'],
    ['BASE_URL', 'https://example.org/?a=1'],
    ['BASE_URL', 'https://user:secret@example.org'],
    ['BASE_URL', 'https://example.org/files'],
    ['BASE_URL', 'https://exa mple.org'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'postgres://'],
    ['DATABASE_URL', './data.db'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite://:memory:'],
    ['BLOB_STORE', 's3:somewhere'],
    ['S3_ENDPOINT', 'localhost:7480'],
    ['S3_BUCKET', 'A bucket'],
    ['S3_FORCE_PATH_STYLE', 'yes'],
    ['CLAMD_URL', 'localhost'],
    ['CLAMD_URL', 'tcp://localhost'],
    ['CLAMD_URL', 'unix:clamd.sock'],
    ['SCAN_ACTION', 'shred'],
    ['SCAN_POLICY', 'strict'],
    ['UPLOAD_URL_SECONDS', '0'],
    ['UPLOAD_URL_SECONDS', '3601'],
    ['DOWNLOAD_URL_SECONDS', '-1'],
    ['ATTACHMENTS_PER_CONTAINER', '0'],
    ['DOWNLOADS_PER_USER', '0'],
    ['DOWNLOAD_STALL_SECONDS', '0'],
    ['PENDING_UPLOADS', '0'],
    ['BACKGROUND_WORK', '1'],
    ['LEASE_SECONDS', '0'],
    ['SECRET_KEY', 'password'],
    ['SECRET_KEY', 'ab'.repeat(31)],
    ['SECRET_KEY_PREVIOUS', 'x'],
    ['FILE_GROUP_ACCESS', '1'],
    ['NODE_ENV', 'prod'],
    ['NODE_ENV', 'Production'],
    ['NODE_ENV', 'staging'],
    ['OIDC_ISSUER', 'id.example.org'],
    ['OIDC_LINK_BY', 'sub'],
    ['OIDC_LINK_BY', 'none,email'],
    ['OIDC_LINK_BY', ','],
    ['STORAGE_TIMEOUT_MS', '0'],
    ['STORAGE_CONNECT_TIMEOUT_MS', 'soon'],
    ['STORAGE_ALLOW_PRIVATE', 'no'],
    ['CLOUD_DRIVE_ENABLED', '1'],
    ['CLOUD_DRIVE_API_URL', 'graph'],
    ['METRICS_PORT', '70000'],
    ['BUSY_REQUESTS', '0'],
    ['BLOB_STORE', 'disk:'],
    ['BLOB_STORE', '/srv/files'],
    ['ATTACHMENT_MAX_SIZE', '0'],
    ['ATTACHMENT_MAX_SIZE', '5 apples'],
    ['ATTACHMENT_MAX_SIZE', '0.1'],
    ['ATTACHMENT_MAX_SIZE', '9000TiB'],
    ['ATTACHMENT_MAX_SIZE', '99999999999999999999'],
    ['ATTACHMENT_ALLOWLIST', 'png'],
    ['ATTACHMENT_ALLOWLIST', 'image/png;text/plain'],
    ['ATTACHMENT_ALLOWLIST', '*'],
    ['DIGEST_ALGORITHM', 'sha1'],
    ['ATTACHMENT_GRACE_MINUTES', 'soon'],
    ['API_PROFILE', 'other'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://app.example.org/path'],
    ['CORS_ORIGINS', 'app.example.org'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'loopback,'],
    ['LOG_LEVEL', 'verbose'],
    ['WORKERS', '0'],
    ['WORKERS', 'auto'],
    ['GRAPHQL_INTROSPECTION', '1'],
    ['SHUTDOWN_SECONDS', '-5'],
  ])('%s=%s is refused, and the message names the variable', (name, value) => {
    const found = mistakes({ [name]: value });
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) expect(line).toMatch(new RegExp(`^${name} (must|takes) `));
  });

  test('an S3 blob store needs a bucket, and either a key with its secret or neither', () => {
    expect(mistakes({ BLOB_STORE: 's3:', S3_ACCESS_KEY_ID: 'key' })).toEqual([
      'S3_BUCKET is needed with BLOB_STORE=s3:',
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set both, or none to use the credential chain of the AWS SDK',
    ]);
    expect(mistakes({ BLOB_STORE: 's3:', S3_BUCKET: 'files' })).toEqual([]);
  });

  test('an address with a path is refused, and the message says what to do', () => {
    expect(mistakes({ BASE_URL: 'https://example.org/files/' })).toEqual([
      'BASE_URL must not have a path: give the service a host name or a port of its own, such as https://files.example.org',
    ]);
  });

  test('the ports of metrics and requests must differ, but each may be chosen by the system', () => {
    const same = [
      'METRICS_PORT is the same as PORT: set it to another one, or leave it out to have /metrics for administrators on PORT',
    ];
    expect([
      mistakes({ PORT: '9464', METRICS_PORT: '9464' }),
      mistakes({ METRICS_PORT: '8080' }),
      mistakes({ PORT: '0', METRICS_PORT: '0' }),
      mistakes({ METRICS_PORT: '8081' }),
    ]).toEqual([same, same, [], []]);
  });

  test('proxies are named in production, because clients can write X-Forwarded-For themselves', () => {
    expect(mistakes({ ...production, TRUST_PROXY: 'true' })).toEqual([
      'TRUST_PROXY must not be true in production: set it to the number of proxies, or to their addresses and networks',
    ]);
    expect(mistakes({ ...production, TRUST_PROXY: '1' })).toEqual([]);
  });

  test('a wrong database address is not repeated in the message, because it contains a password', () => {
    expect(mistakes({ DATABASE_URL: 'postgre://user:secret@host/name' }).join()).not.toContain(
      'secret',
    );
  });

  test('all mistakes are reported at once, including those between variables', () => {
    expect(
      mistakes({
        LOG_LEVEL: 'loud',
        WORKERS: '2',
        ATTACHMENT_MAX_SIZE: '5M',
        HOST_FILE: '/nowhere/at/all',
      }).map((line) => line.split(' ')[0]),
    ).toEqual(['HOST_FILE', 'ATTACHMENT_MAX_SIZE', 'LOG_LEVEL', 'WORKERS']);
  });
});

test.each([
  ['ATTACHMENT_MAXSIZE', 'ATTACHMENT_MAX_SIZE'],
  ['SECRET_KEYFILE', 'SECRET_KEY_FILE'],
  ['DATABSE_URL', 'DATABASE_URL'],
])('%s is a mistake: it is near %s', (given, meant) => {
  expect(mistakes({ [given]: 'x' })).toEqual([`${given} is not a setting: did you mean ${meant}?`]);
});

test('other variables are left alone', () => {
  expect(mistakes({ PORTS: 'x', POSTGRES_URL: 'x', DATABSE_URL: '', LOG_FORMAT: 'x' })).toEqual([]);
});

describe('NAME_FILE', () => {
  test('reads the value from a file, without the line end', () => {
    expect(readConfig({ DATABASE_URL_FILE: file('postgres://u:p@h/d\n') }).database).toEqual({
      client: 'postgres',
      prepares: true,
      url: 'postgres://u:p@h/d',
    });
  });

  test('with an empty file counts as absent', () => {
    expect(readConfig({ PORT_FILE: file('\n') }).port).toBe(8080);
  });

  test('together with NAME is a mistake', () => {
    expect(mistakes({ PORT: '80', PORT_FILE: file('81') })).toEqual([
      'PORT and PORT_FILE are both set: use one of them',
    ]);
  });

  test('with an unreadable file is a mistake', () => {
    expect(mistakes({ PORT_FILE: '/nowhere/at/all' })).toEqual([
      'PORT_FILE cannot be read: ENOENT',
    ]);
  });

  test('with a wrong value is a mistake of NAME', () => {
    expect(mistakes({ PORT_FILE: file('http') })).toEqual(['PORT must be a whole number']);
  });
});

describe('the command line', () => {
  test('exits with 78 and lists every mistake', async () => {
    const { status, stdout, stderr } = await run(['serve'], {
      PORT: 'http',
      LOG_LEVEL: 'loud',
      WORKERS: '2',
      BLOB_STORE: 's3',
    });
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
    expect(stderr.match(/^ {2}(\w+)/gm)).toEqual([
      '  PORT',
      '  BLOB_STORE',
      '  LOG_LEVEL',
      '  WORKERS',
    ]);
  });

  test('prints its help, and that of a command with its options and an example', async () => {
    const [help, ofCommand, ofGroup, version] = await Promise.all([
      run(['--help']),
      run(['import', '--help']),
      run(['help', 'token']),
      run(['--version']),
    ]);
    expect(help).toMatchObject({ status: 0, stderr: '' });
    for (const name of ['serve', 'migrate', 'import', 'api-key\\|token', 'schema'])
      expect(help.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(ofCommand).toEqual({
      status: 0,
      stderr: '',
      stdout: `Usage: moorage import [options] <file>

take people, projects and containers from a file

Options:
  --output <file>  write the new ids as JSON
  -h, --help       display help for command

Global Options:
  -V, --version    output the version number
  --json           answer as JSON on standard output

Example:
  moorage import directory.json --output ids.json
`,
    });
    expect(ofGroup.stdout).toMatch(/^ {2}create .*\n {2}list .*\n {2}revoke /m);
    expect(version).toEqual({ status: 0, stdout: '0.9.0\n', stderr: '' });
  });

  test('has an example of every command, which it can read', () => {
    const leaves = (of: Command): Command[] =>
      of.commands.length === 0 ? [of] : of.commands.flatMap(leaves);
    const all = leaves(programOf());
    expect(all.length).toBeGreaterThan(10);
    for (const command of all) {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      const names = command.parent?.parent ? `${command.parent.name()} ` : '';
      expect(help).toMatch(
        new RegExp(`\\nExample:\\n {2}.*moorage ${names}${command.name()}\\b.*\\n$`),
      );
    }
  });

  test('answers unknown arguments with a suggestion, the usage and exit status 2', async () => {
    const outcomes = await Promise.all([
      run(['servr']),
      run(['serve', '--jsom']),
      run(['token', 'lst']),
    ]);
    for (const [index, meant] of ['serve', '--json', 'list'].entries()) {
      const { status, stdout, stderr } = outcomes[index]!;
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^error: unknown (command|option) /);
      expect(stderr).toContain(`(Did you mean ${meant}?)\n\nUsage: moorage `);
    }
  });

  test.each([
    [['serve', 'now']],
    [['migrate', 'now']],
    [['import']],
    [['import', 'a', 'b']],
    [['import', 'a', '--output']],
    [['schema']],
    [['schema', 'drop']],
    [['token']],
    [['token', 'frobnicate']],
    [['token', 'create']],
    [['token', 'create', 'ada']],
    [['token', 'create', 'x', '--login', 'ada']],
    [['token', 'list', 'ada']],
    [['token', 'revoke']],
    [['token', 'revoke', 'ci']],
    [['token', 'revoke', '--login', 'ada']],
    [['token', 'revoke', '1', '2']],
    [['token', 'revoke', '1', '--login', 'ada']],
  ])('refuses %j before it opens anything', async (args) => {
    const program = programOf();
    // Commands made before have their own outputs.
    const silent = (of: Command): void => {
      of.configureOutput({ writeErr: () => undefined });
      of.commands.forEach(silent);
    };
    silent(program);
    const fault = await program.parseAsync(args, { from: 'user' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(
      fault instanceof UsageError || (fault instanceof CommanderError && fault.exitCode === 1),
    ).toBe(true);
  });

  test('prints the committed schema', async () => {
    const [text, json] = await Promise.all([
      run(['schema', 'print']),
      run(['schema', 'print', '--json']),
    ]);
    expect(text).toEqual({ status: 0, stdout: printedSchema(), stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({ schema: printedSchema() });
    expect(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')).toBe(
      printedSchema(),
    );
  });

  test('says why a server cannot start, and exits', async () => {
    const unreachable = await run(['serve'], {
      DATABASE_URL: 'postgres://someone:pass-word@127.0.0.1:1/nowhere',
      PORT: '0',
    });
    expect(unreachable).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^moorage serve: The database of DATABASE_URL cannot be used: connect ECONNREFUSED/m,
      ),
    });
    expect(unreachable.stderr).not.toContain('pass-word');
    const unmade = await run(['serve'], { DATABASE_URL: 'sqlite:/dev/null/x', PORT: '0' });
    expect(unmade).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^moorage serve: The database of DATABASE_URL cannot be used: SQLITE_CANTOPEN/m,
      ),
    });
    const unwritable = await run(['serve'], {
      BLOB_STORE: 'disk:/dev/null/files',
      PORT: '0',
      ...production,
    });
    expect(unwritable).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^moorage serve: The folder of BLOB_STORE cannot be used: ENOTDIR/m,
      ),
    });
  });
});
