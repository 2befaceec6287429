import type { About } from '../about.js';

export const about = {
  description: 'A file server at an address of its own.',
  defaultName: 'Self-hosted file server',
  names: { standard: 'SelfHostedFileServer', openproject: 'Nextcloud' },
  hasOrigin: true,
  connectionNeeds: 'version',
  redirectPath: 'index.php/apps/integration_openproject/oauth-redirect',
  hosts: {},
  members: {},
} as const satisfies About;
