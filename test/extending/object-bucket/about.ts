import { validateAddress } from '../../outbound/address.js';
import type { About } from '../about.js';

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const LONGEST_KEY = 1024;

export const about = {
  description: 'A bucket of a store that speaks S3.',
  defaultName: 'Object bucket',
  names: { standard: 'ObjectBucket', openproject: 'S3Bucket' },
  enabledBy: {
    setting: 'objectBucketEnabled',
    variable: 'OBJECT_BUCKET_ENABLED',
    description: '`false`: no buckets',
  },
  hasOrigin: false,
  connectionNeeds: 'bucket',
  hosts: {
    signInUrl: {
      setting: 'objectBucketSignInUrl',
      variable: 'OBJECT_BUCKET_SIGN_IN_URL',
      description: 'where people sign in for their buckets',
      default: 'https://sign-in.example.com',
    },
  },
  members: {
    endpoint: {
      label: 'Endpoint',
      description: 'Address of the store of an object bucket.',
      isValid: (value) => typeof validateAddress('Endpoint', value) !== 'string',
      isHost: true,
    },
    bucket: {
      label: 'Bucket',
      description: 'Name of an object bucket.',
      input: 'Name of an object bucket: 3 to 63 small letters, digits, dots and hyphens.',
      isValid: (value) => BUCKET.test(value),
    },
  },
  fileIds: {
    isValid: (id) => id.isWellFormed() && id !== '' && Buffer.byteLength(id) <= LONGEST_KEY,
    rule: '1 to 1,024 bytes',
  },
} as const satisfies About;
