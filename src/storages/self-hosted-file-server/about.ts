/** Describes the type `SelfHostedFileServer`. */
import type { About } from '../about.js';

export const about = {
  description: 'A self-hosted file server with its own address.',
  defaultName: 'Self-hosted file server',
  names: { standard: 'SelfHostedFileServer', openproject: 'Nextcloud' },
  hasOrigin: true,
  foldersNeed: 'applicationPassword',
  connectionNeeds: 'version',
  redirectPath: 'index.php/apps/integration_openproject/oauth-redirect',
  hosts: {},
  members: {},
  fileIds: { isValid: (id) => /^\d{1,19}$/.test(id), rule: '1 to 19 digits' },
} as const satisfies About;
