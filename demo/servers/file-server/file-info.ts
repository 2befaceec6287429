/** What the integration app says of files by their ids. */
import { nameFor, type Node } from './files.js';
import type { Site } from './site.js';

export type FileVerdict = { status: string; statuscode: number; [member: string]: unknown };

/** By id; an empty list where none was asked. */
export const verdicts = (
  site: Site,
  user: string,
  ids: (number | string)[],
): { [id: string]: FileVerdict } | [] =>
  ids.length === 0
    ? []
    : Object.fromEntries(ids.map((id) => [String(id), verdict(site, user, id)]));

export function verdict(site: Site, user: string, id: number | string): FileVerdict {
  const node = site.files.node(Number(id));
  if (!node) return { status: 'Not Found', statuscode: 404 };
  const path = site.files.pathFor(user, node);
  return path === undefined
    ? { status: 'Forbidden', statuscode: 403 }
    : found(site, user, node, path);
}

function found(site: Site, user: string, node: Node, path: string): FileVerdict {
  const displayName = (id: string | null): string | null =>
    id === null ? null : (site.users.get(id)?.displayName ?? null);
  const owner = site.files.ownerFor(user, node);
  // In the team folder everybody knows of their own changes only.
  const modifier = site.files.isInTeam(node) && node.modifier !== user ? null : node.modifier;
  return {
    status: 'OK',
    statuscode: 200,
    id: node.id,
    name: node.name,
    mtime: node.mtime,
    ctime: node.ctime,
    mimetype: node.children ? 'application/x-op-directory' : node.mimeType,
    size: site.files.size(node),
    owner_name: displayName(owner),
    owner_id: owner,
    modifier_name: displayName(modifier),
    modifier_id: displayName(modifier) === null ? null : modifier,
    dav_permissions: site.files.permissions(user, node),
    path: `files${path}${node.children && path !== '/' ? '/' : ''}`,
  };
}

/** The file of a direct link that still stands, and the name that the link's user sees. */
export function linkedFile(site: Site, token: string): { node: Node; name: string } | undefined {
  const link = site.downloadTokens.get(token);
  const node = link && link.until > site.now() ? site.files.node(link.file) : undefined;
  return link && node && site.files.pathFor(link.user, node) !== undefined
    ? { node, name: nameFor(link.user, node) }
    : undefined;
}
