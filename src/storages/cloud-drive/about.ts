import type { About } from '../about.js';

const GUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const MIN_DRIVE_ID = 17;

export const about = {
  description: 'One drive of a cloud tenant.',
  defaultName: 'Cloud drive',
  names: { standard: 'CloudDrive', openproject: 'OneDrive' },
  enabledBy: 'cloudDriveEnabled',
  hasOrigin: false,
  connectionNeeds: 'client_secret',
  hosts: { loginUrl: 'cloudDriveLoginUrl', apiUrl: 'cloudDriveApiUrl' },
  members: {
    tenantId: {
      label: 'Tenant ID',
      description: 'Tenant of a cloud drive: a GUID or `consumers`.',
      isValid: (value) => GUID.test(value) || value === 'consumers',
      isHost: true,
    },
    driveId: {
      label: 'Drive ID',
      description: 'Id of the drive of a cloud drive.',
      input: 'Id of the drive of a cloud drive, at least 17 characters.',
      isValid: (value) => value.length >= MIN_DRIVE_ID,
    },
  },
} as const satisfies About;
