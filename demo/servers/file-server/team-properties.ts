/** What WebDAV says of files in the team folder. */
import type { Node } from './files.js';
import type { Site } from './site.js';
import { TEAM, TEAM_FOLDER_ID, type AclEntry } from './team-folder.js';
import { child, escapeXml, tag, textTag, type Element } from './xml.js';

/** Only this user sees and changes what is about others. */
export const managesAcl = (user: string): boolean => user === TEAM;

/** Markup of a property; undefined where the file has none. */
type Property = (site: Site, user: string, node: Node) => string | undefined;

export const teamProperties: { [name: string]: Property } = {
  'nc:acl-enabled': () => textTag('nc:acl-enabled', '1'),
  'nc:acl-can-manage': (_, user) => textTag('nc:acl-can-manage', managesAcl(user) ? '1' : ''),
  'nc:acl-list': (site, user, node) =>
    managesAcl(user) && node.acl.length === 0
      ? undefined
      : list('nc:acl-list', site, shown(site, user, node.acl)),
  'nc:inherited-acl-list': (site, user, node) =>
    list('nc:inherited-acl-list', site, inherited(site, user, node)),
  'nc:group-folder-id': () => textTag('nc:group-folder-id', String(TEAM_FOLDER_ID)),
  'nc:mount-type': () => textTag('nc:mount-type', 'group'),
};

const shown = (site: Site, user: string, acl: AclEntry[]): AclEntry[] =>
  managesAcl(user) ? acl : acl.filter((entry) => site.team?.isAbout(user, entry));

/** For each user and group what the folders above say, merged. */
function inherited(site: Site, user: string, node: Node): AclEntry[] {
  const merged = new Map<string, AclEntry>();
  const above = site.files.pathTo(node).slice(0, -1);
  for (const entry of above.flatMap(({ acl }) => shown(site, user, acl))) {
    const key = `${entry.type} ${entry.id}`;
    const { mask, permissions } = merged.get(key) ?? { mask: 0, permissions: 0 };
    merged.set(key, {
      ...entry,
      mask: mask | entry.mask,
      permissions: (permissions & ~entry.mask) | entry.permissions,
    });
  }
  return [...merged.values()];
}

const list = (name: string, site: Site, acl: AclEntry[]): string =>
  tag(
    name,
    acl
      .map(({ type, id, mask, permissions }) =>
        tag(
          'nc:acl',
          textTag('nc:acl-mapping-type', type) +
            textTag('nc:acl-mapping-id', escapeXml(id)) +
            textTag('nc:acl-mapping-display-name', escapeXml(displayName(site, type, id))) +
            textTag('nc:acl-mask', String(mask)) +
            textTag('nc:acl-permissions', String(permissions)),
        ),
      )
      .join(''),
  );

const displayName = (site: Site, type: AclEntry['type'], id: string): string =>
  type === 'user' ? (site.users.get(id)?.displayName ?? id) : id;

/** The entries of a request. Unknown users and groups are left out without a word. */
export function aclIn(site: Site, { children }: Element): AclEntry[] {
  return children.flatMap((acl): AclEntry[] => {
    const text = (name: string): string => child(acl, `nc:acl-${name}`)?.text ?? '';
    const [type, id] = [text('mapping-type'), text('mapping-id')];
    const entry = { id, mask: Number(text('mask')), permissions: Number(text('permissions')) };
    if (type === 'user' && site.users.has(id)) return [{ type, ...entry }];
    return type === 'group' && site.hasGroup(id) ? [{ type, ...entry }] : [];
  });
}
