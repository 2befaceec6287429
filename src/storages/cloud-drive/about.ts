/** Describes the type `CloudDrive`. */
import { isDriveId, isTenantId } from '../../contract/addresses.js';
import type { About } from '../about.js';

export const about = {
  description: 'One drive of a cloud tenant (Microsoft 365).',
  defaultName: 'Cloud drive',
  names: { standard: 'CloudDrive', openproject: 'OneDrive' },
  enabledBy: {
    setting: 'cloudDriveEnabled',
    variable: 'CLOUD_DRIVE_ENABLED',
    description: '`false`: operations on cloud drives answer `MissingEnterpriseToken`',
  },
  hasOrigin: false,
  foldersNeed: 'automaticallyManagedFolders',
  connectionNeeds: 'client_secret',
  hosts: {
    loginUrl: {
      setting: 'cloudDriveLoginUrl',
      variable: 'CLOUD_DRIVE_LOGIN_URL',
      description: "Microsoft's login service; national clouds have others",
      default: 'https://login.microsoftonline.com',
    },
    apiUrl: {
      setting: 'cloudDriveApiUrl',
      variable: 'CLOUD_DRIVE_API_URL',
      description: 'Microsoft Graph; national clouds have others',
      default: 'https://graph.microsoft.com/v1.0',
    },
  },
  members: {
    tenantId: {
      label: 'Tenant ID',
      description:
        'Tenant (directory) of a cloud drive: a GUID, or `consumers` for personal accounts. ' +
        'Null for other types.',
      input:
        'Tenant (directory) of a cloud drive: a GUID, or `consumers` for personal accounts. ' +
        'Ignored for other types.',
      isValid: isTenantId,
      isHost: true,
    },
    driveId: {
      label: 'Drive ID',
      description: 'Id of the drive at the cloud service. Null for other types.',
      input:
        'Id of the drive at the cloud service, at least 17 characters. Ignored for other types.',
      isValid: isDriveId,
    },
  },
  fileIds: {
    isValid: (id) => /^[\x21-\x7e]{1,256}$/.test(id) && !/[/\\?#%"']/.test(id),
    rule: '1 to 256 visible ASCII characters without / \\ ? # % " \'',
  },
} as const satisfies About;
