/** Reads of file links: rows, then one call to their storage. All links of a request belong to one storage. */
import { filesInfo, opened } from './file-server.mjs';
import { nearOf, peopleOf, withPeople } from './near.mjs';
import { fileLink, graphqlLinks } from './represent-links.mjs';
import { grantedTo } from './statements.mjs';

const MAX_ROWS = 201;

/** The storage of the links, and what it says about their files. */
async function ask(db, viewer, links) {
  const id = links[0].storage_id;
  const [[storage], credentials, [token]] = await Promise.all([
    db.many('storages', [id]),
    db.many('credentials', [id]),
    db.many('tokens', [viewer.id, id]),
  ]);
  if (token.expires_at <= new Date().toISOString()) throw new Error('The token has expired.');
  const files = await filesInfo(
    storage.origin,
    opened(token.access_token),
    links.map((link) => link.origin_id),
  );
  for (const link of links)
    if (files[link.origin_id].name !== link.origin_name)
      throw new Error('A changed file would have to be saved.');
  return { storage: { ...storage, configured: credentials.length > 0 }, files };
}

/** @param read `users(ids)` and `permissions(viewer, project)` of the program */
export async function oneLink(db, viewer, id, read) {
  const [link] = await db.many('link', [
    ...grantedTo(viewer.id, 'view_work_packages'),
    ...grantedTo(viewer.id, 'view_file_links'),
    id,
  ]);
  if (!link) return undefined;
  const [{ storage, files }, [container], uploadProjects, granted] = await Promise.all([
    ask(db, viewer, [link]),
    db.ids('containers', [link.work_package_id]),
    db.many('uploadProjects', [
      link.storage_id,
      viewer.id,
      ...grantedTo(viewer.id, 'manage_file_links'),
    ]),
    read.permissions(viewer, link.project_id),
  ]);
  const [users, near] = await Promise.all([
    read.users([link.creator_id, ...peopleOf(container)]),
    nearOf(db, container),
  ]);
  const within = {
    storage,
    uploadProjects,
    container,
    near: withPeople(container, near, users),
    users,
    granted,
  };
  return fileLink(link, files[link.origin_id], within);
}

export async function linksOf(db, viewer, container, read) {
  const links = await db.many('links', [container.id, container.project_id, MAX_ROWS]);
  const [{ storage, files }, granted, users] = await Promise.all([
    ask(db, viewer, links),
    read.permissions(viewer, container.project_id),
    read.users(links.map((link) => link.creator_id)),
  ]);
  return graphqlLinks(links, files, new Map([[storage.id, storage]]), users, granted);
}
