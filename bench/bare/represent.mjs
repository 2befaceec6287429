/** The response bodies of the server, written as object literals. */
export const nameOf = (user) => `${user.first_name} ${user.last_name}`.trim();
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const html = (raw) =>
  raw === '' ? '' : `<p>${raw.replace(/[&<>"']/g, (character) => entities[character])}</p>`;
export const base = '/api/v3';

const mayEdit = (granted) => granted.has('edit_work_packages');
const mayAttach = (granted) =>
  granted.has('edit_work_packages') ||
  granted.has('add_work_packages') ||
  granted.has('add_work_package_attachments');

function attachmentLinks(row, author, container, granted) {
  const self = `${base}/attachments/${row.id}`;
  const content = { href: `${self}/content` };
  const links = {
    self: { href: self, title: row.file_name },
    author: { href: `${base}/users/${author.id}`, title: nameOf(author) },
    container: { href: `${base}/work_packages/${container.id}`, title: container.subject },
    staticDownloadLocation: content,
    downloadLocation: content,
  };
  if (mayEdit(granted)) links.delete = { href: self, method: 'delete' };
  return links;
}

const attachment = (row, author, container, granted) => ({
  _type: 'Attachment',
  id: row.id,
  title: row.file_name,
  fileName: row.file_name,
  fileSize: row.file_size,
  description: { format: 'plain', raw: row.description_text, html: html(row.description_text) },
  status: row.status,
  contentType: row.content_type,
  digest: { algorithm: row.digest_algorithm, hash: row.digest_hash },
  createdAt: row.created_at,
  _links: attachmentLinks(row, author, container, granted),
});

const user = (row, viewer) => ({
  _type: 'User',
  id: row.id,
  name: nameOf(row),
  login: row.login,
  firstName: row.first_name,
  lastName: row.last_name,
  admin: Boolean(row.admin),
  avatar: '',
  email: viewer.admin || viewer.id === row.id ? row.email : null,
  identityUrl: null,
  status: row.status,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  _links: { self: { href: `${base}/users/${row.id}`, title: nameOf(row) } },
});

const personLink = (row) =>
  row ? { href: `${base}/users/${row.id}`, title: nameOf(row) } : { href: null };

/** @param near author, project, type, status, assignee and responsible of the row */
export function workPackage(row, near, granted) {
  const { author, project, type, status, assignee, responsible } = near;
  const self = `${base}/work_packages/${row.id}`;
  const links = {
    self: { href: self, title: row.subject },
    attachments: { href: `${self}/attachments` },
    project: { href: `${base}/projects/${project.id}`, title: project.name },
    author: { href: `${base}/users/${author.id}`, title: nameOf(author) },
    activities: { href: `${self}/activities` },
    ancestors: [],
    type: { href: `${base}/types/${type.id}`, title: type.name },
    status: { href: `${base}/statuses/${status.id}`, title: status.name },
    assignee: personLink(assignee),
    responsible: personLink(responsible),
  };
  if (mayAttach(granted)) links.addAttachment = { href: `${self}/attachments`, method: 'post' };
  if (granted.has('add_work_package_comments'))
    links.addComment = { href: `${self}/activities`, method: 'post' };
  if (granted.has('view_file_links')) links.fileLinks = { href: `${self}/file_links` };
  if (granted.has('manage_file_links'))
    links.addFileLink = { href: `${self}/file_links`, method: 'post' };
  if (mayEdit(granted)) links.updateImmediately = { href: self, method: 'patch' };
  return {
    _type: 'WorkPackage',
    id: row.id,
    subject: row.subject,
    description: { format: 'markdown', raw: row.description_text, html: '' },
    lockVersion: row.lock_version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    _links: links,
  };
}

/** One attachment with its author and its work package. */
export function single(row, users, container, near, granted, viewer) {
  const author = users.get(row.author_id);
  const body = attachment(row, author, container, granted);
  body._embedded = {
    author: user(author, viewer),
    container: workPackage(container, near, granted),
  };
  return body;
}

export const collection = (rows, users, container, granted) => ({
  _type: 'Collection',
  total: rows.length,
  count: rows.length,
  _embedded: {
    elements: rows.map((row) => attachment(row, users.get(row.author_id), container, granted)),
  },
  _links: { self: { href: `${base}/work_packages/${container.id}/attachments` } },
});

/** The response to the only GraphQL document of the workloads. */
export const graphql = (rows, users, granted) => ({
  data: {
    workPackage: {
      attachments: {
        totalCount: rows.length,
        nodes: rows.map((row) => {
          const author = users.get(row.author_id);
          return {
            databaseId: row.id,
            fileName: row.file_name,
            fileSize: row.file_size,
            contentType: row.content_type,
            status: row.status.toUpperCase(),
            createdAt: row.created_at,
            digest: { hash: row.digest_hash },
            author: { databaseId: author.id, name: nameOf(author) },
            viewerCanDelete: mayEdit(granted),
          };
        }),
      },
    },
  },
});
