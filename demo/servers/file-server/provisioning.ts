/** Users, groups and team folders, for administrators. The user `OpenProject` administers the groups of the team folder. */
import { fields, type Call } from './answer.js';
import type { Route, Verdict } from './ocs.js';
import { profileOfOther } from './profile.js';
import type { Site } from './site.js';
import { TEAM, TEAM_FOLDER_ID, TEAM_REST } from './team-folder.js';

const DONE: Verdict = { code: 200 };
const UNKNOWN_GROUP: Verdict = { code: 102 };
const UNKNOWN_USER: Verdict = { code: 103 };
const NOT_YOURS: Verdict = { code: 104 };
const FORBIDDEN: Verdict = { code: 403, message: 'Logged in account must be at least a sub admin' };

export const provisioning: Route[] = [
  { method: 'GET', pattern: /^cloud\/groups\/([^/]+)(?:\/users)?$/, handle: members },
  { method: 'POST', pattern: /^cloud\/users\/([^/]+)\/groups$/, handle: join },
  { method: 'DELETE', pattern: /^cloud\/users\/([^/]+)\/groups$/, handle: leave },
  { method: 'GET', pattern: /^cloud\/users\/([^/]+)$/, handle: oneUser },
  { method: 'DELETE', pattern: /^cloud\/users\/([^/]+)$/, handle: removeUser },
  { method: 'GET', pattern: /^apps\/groupfolders\/folders$/, handle: teamFolders },
];

const isAdmin = (site: Site, user: string): boolean => site.known(user).groups.includes('admin');
const administers = (site: Site, user: string, group: string): boolean =>
  isAdmin(site, user) || site.administered(user).includes(group);

function members(site: Site, _: Call, user: string, group: string): Verdict {
  if (!site.hasGroup(group))
    return { code: 404, message: 'The requested group could not be found' };
  if (!administers(site, user, group))
    return { code: 403, message: 'User does not have access to specified group' };
  return { code: 200, data: { users: site.membersOf(group) } };
}

/** The group that is asked for, where the user may change it for the other one. */
function groupFor(site: Site, call: Call, user: string, id: string): string | Verdict {
  const group = fields(call)['groupid'];
  if (typeof group !== 'string' || group === '') return { code: 101 };
  if (!site.hasGroup(group)) return UNKNOWN_GROUP;
  if (!site.users.has(id)) return UNKNOWN_USER;
  return administers(site, user, group) ? group : NOT_YOURS;
}

function join(site: Site, call: Call, user: string, id: string): Verdict {
  const group = groupFor(site, call, user, id);
  if (typeof group !== 'string') return group;
  add(site, id, group);
  return DONE;
}

function leave(site: Site, call: Call, user: string, id: string): Verdict {
  const group = groupFor(site, call, user, id);
  if (typeof group !== 'string') return group;
  if (id === user)
    return {
      code: 105,
      message:
        group === 'admin'
          ? 'Cannot remove yourself from the admin group'
          : 'Cannot remove yourself from this group as you are a sub-admin',
    };
  if (!isAdmin(site, user)) {
    // The app does so, because nobody may be taken out of all groups that one administers.
    if (group === TEAM && site.settings.appEnabled) add(site, id, TEAM_REST);
    const { groups } = site.known(id);
    if (site.administered(user).filter((one) => groups.includes(one)).length <= 1)
      return {
        code: 105,
        message: 'Not viable to remove user from the last group you are sub-admin of',
      };
  }
  const other = site.known(id);
  other.groups = other.groups.filter((one) => one !== group);
  return DONE;
}

function add(site: Site, id: string, group: string): void {
  const user = site.known(id);
  if (!user.groups.includes(group)) user.groups = [...user.groups, group];
}

/** Subadministrators see the people of their groups. */
function oneUser(site: Site, _: Call, user: string, id: string): Verdict {
  if (!isAdmin(site, user) && site.administered(user).length === 0 && id !== user) return FORBIDDEN;
  return site.users.has(id)
    ? { code: 200, data: profileOfOther(site, id) }
    : { code: 404, message: 'User does not exist' };
}

function removeUser(site: Site, _: Call, user: string, id: string): Verdict {
  if (!isAdmin(site, user)) return FORBIDDEN;
  if (id !== TEAM || !site.team || !site.settings.appEnabled)
    throw new Error('The fake deletes no users.');
  return {
    code: 400,
    message: `<p>&nbsp;User "${TEAM}" is needed to be protected by the app "OpenProject Integration", thus cannot be deleted.\n\t\t\tPlease check the <a style="color:var(--color-primary-default)" href="https://www.openproject.org/docs/system-admin-guide/integrations/nextcloud/#troubleshooting"\n\t\t\ttarget="_blank"><u>troubleshooting guide</u></a> for further information.</p>`,
  };
}

function teamFolders(site: Site, _: Call, user: string): Verdict {
  if (!isAdmin(site, user)) return FORBIDDEN;
  const { team, files } = site;
  return {
    code: 200,
    data: team
      ? {
          [TEAM_FOLDER_ID]: {
            id: TEAM_FOLDER_ID,
            mount_point: TEAM,
            quota: -3,
            acl: true,
            acl_default_no_permission: false,
            size: files.size(team.root),
            groups: { [TEAM]: 31 },
            group_details: { [TEAM]: { displayName: TEAM, permissions: 31, type: 'group' } },
            manage: [{ type: 'user', id: TEAM, displayname: TEAM }],
            sortIndex: 0,
          },
        }
      : [],
  };
}
