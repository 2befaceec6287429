/** `docs/reference/generated/settings.md` and `.env.example`: the settings of `src/config.ts` with defaults and meanings. */
import { settings, type Setting } from '../src/config.js';

const HEAD = `<!-- Generated from src/config.ts: npm run generate -->
# Settings

Settings are environment variables. They are read once, at the start.

- An empty variable counts as absent.
- \`NAME_FILE\` names a file with the value of \`NAME\`, for example \`SECRET_KEY_FILE\`. Do not set both.
- If settings are wrong, every command prints all mistakes and ends with status 78.
- [\`.env.example\`](../../../.env.example) lists all settings with their defaults.

[Run in production](../../how-to/run-in-production.md#settings-for-production) says which settings production needs.
`;

const FOOT = `
## Rules for several settings

- \`WORKERS\` above 1 needs PostgreSQL, and a \`PORT\` other than 0.
- \`METRICS_PORT\` must differ from \`PORT\`.
- \`BLOB_STORE=s3:\` needs \`S3_BUCKET\`. Set \`S3_ACCESS_KEY_ID\` and \`S3_SECRET_ACCESS_KEY\` both, or none.
- \`OIDC_ISSUER\` needs \`OIDC_CLIENT_ID\` or \`OIDC_AUDIENCE\`. The other \`OIDC_\` settings need \`OIDC_ISSUER\`.
- \`NODE_ENV=production\` needs \`SECRET_KEY\` and \`BASE_URL\`.
`;

export function settingsPage(): string {
  const rows = settings().map(
    ({ name, default: value, meaning }) => `| \`${name}\` | ${value} | ${meaning} |`,
  );
  return `${HEAD}\n| setting | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n${FOOT}`;
}

const ENV_HEAD = `# Generated from src/config.ts: npm run generate
# All settings, with their defaults. Copy this file, and remove the # of the settings that you change.
# Moorage does not read this file itself. Use docker run --env-file, EnvironmentFile= of systemd,
# or node --env-file.
`;

export const envExample = (): string => `${ENV_HEAD}\n${settings().map(example).join('\n')}`;

/** A default in words is written as a comment, because it is no value. */
function example({ name, default: value, meaning }: Setting): string {
  const [, literal] = /^`([^`]*)`$/.exec(value) ?? [];
  const words = literal === undefined && value !== '–' ? ` (default: ${plain(value)})` : '';
  return `# ${plain(meaning)}${words}\n#${name}=${literal ?? ''}\n`;
}

const plain = (markdown: string): string => markdown.replaceAll('`', '');
