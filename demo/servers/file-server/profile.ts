/** What the OCS interface says of a user. */
import type { Site } from './site.js';
import { TEAM } from './team-folder.js';

const emptyFields = [
  'phone',
  'address',
  'website',
  'twitter',
  'bluesky',
  'fediverse',
  'organisation',
  'role',
  'headline',
  'biography',
];

/** What administrators are told of others: nothing of who may see it. */
export const profileOfOther = (site: Site, id: string): object =>
  Object.fromEntries(Object.entries(profile(site, id)).filter(([name]) => !name.endsWith('Scope')));

/** What users are told of themselves. */
export function profile(site: Site, id: string): object {
  const user = site.known(id);
  const local = user.backend === 'Database';
  const used = site.files.size(site.files.root(id));
  const quota =
    user.quota === undefined
      ? { free: -3, used, total: -3, relative: 0, quota: -3 }
      : {
          free: user.quota - used,
          used,
          total: user.quota,
          relative: Math.round((10_000 * used) / user.quota) / 100,
          quota: user.quota,
        };
  return {
    enabled: true,
    id,
    firstLoginTimestamp: user.since,
    lastLoginTimestamp: site.now(),
    lastLogin: site.now() * 1000,
    backend: user.backend,
    subadmin: site.administered(id),
    quota,
    manager: '',
    avatarScope: 'v2-federated',
    email: user.email,
    emailScope: 'v2-federated',
    additional_mail: [],
    additional_mailScope: [],
    displayname: user.displayName,
    'display-name': user.displayName,
    displaynameScope: 'v2-federated',
    ...Object.fromEntries(
      emptyFields.flatMap((name) => [
        [name, ''],
        [`${name}Scope`, 'v2-local'],
      ]),
    ),
    profile_enabled: '1',
    profile_enabledScope: 'v2-local',
    pronouns: '',
    pronounsScope: 'v2-federated',
    groups: user.groups,
    language: 'en',
    locale: '',
    // It is known from a browser, in which the user of the team folder never logs in.
    timezone: local && id !== TEAM ? 'UTC' : '',
    notify_email: null,
    backendCapabilities: { setDisplayName: local, setPassword: local },
  };
}
