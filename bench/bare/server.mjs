/**
 * The cost of the work without a framework: `node:http`, the server's SQL on the same driver, and the same body by `JSON.stringify`.
 * Every request reads its key, permissions and rows again.
 *
 * Starts with DATABASE_URL, SECRET_KEY and BLOB_FOLDER. Writes its address to standard output.
 */
import { createHash, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { openDatabase } from './database.mjs';
import { pathOf, receive, send } from './files.mjs';
import { linksOf, oneLink } from './links.mjs';
import { nearOf, peopleOf, withPeople } from './near.mjs';
import { collection, graphql, single } from './represent.mjs';
import { bindings, containerOf } from './statements.mjs';

const HAL = 'application/hal+json; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const LEASE_MS = 60_000;
const MAX_ROWS = 1_001;
const PAGE = 20;
const blobs = process.env.BLOB_FOLDER;
const db = await openDatabase(process.env.DATABASE_URL);

class Refused extends Error {
  constructor(status) {
    super(`status ${status}`);
    this.status = status;
  }
}

async function viewerOf(req) {
  const [, key = ''] = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '') ?? [];
  const [viewer] = await db.many('key', ['active', createHash('sha256').update(key).digest('hex')]);
  if (!viewer) throw new Refused(401);
  return viewer;
}

async function permissionsOf(viewer, projectId) {
  const rows = await db.many('permissions', bindings.permissions(viewer.id, projectId));
  return new Set(rows.map(({ permission }) => permission));
}

async function usersOf(ids) {
  const rows = await db.ids('users', [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

const read = { users: usersOf, permissions: permissionsOf };

async function fileLinkWith(req, id) {
  const body = await oneLink(db, await viewerOf(req), id, read);
  if (!body) throw new Refused(404);
  return body;
}

async function fileLinksOf(req, id) {
  const viewer = await viewerOf(req);
  return linksOf(db, viewer, await visibleWorkPackage(viewer, id), read);
}

async function oneAttachment(req, id) {
  const viewer = await viewerOf(req);
  const [row] = await db.many('attachment', bindings.attachment(viewer.id, id));
  if (!row) throw new Refused(404);
  const container = containerOf(row);
  return withEmbeds(viewer, row, container, await permissionsOf(viewer, container.project_id));
}

async function withEmbeds(viewer, row, container, granted) {
  const [users, near] = await Promise.all([
    usersOf([row.author_id, ...peopleOf(container)]),
    nearOf(db, container),
  ]);
  return single(row, users, container, withPeople(container, near, users), granted, viewer);
}

async function visibleWorkPackage(viewer, id) {
  const [container] = await db.many('workPackage', bindings.workPackage(viewer.id, id));
  if (!container) throw new Refused(404);
  return container;
}

async function attachmentsOf(req, id) {
  const viewer = await viewerOf(req);
  const container = await visibleWorkPackage(viewer, id);
  const rows = await db.many('attachments', ['kept', 'prepared', container.id, MAX_ROWS]);
  const granted = await permissionsOf(viewer, container.project_id);
  return { container, rows, granted, users: await usersOf(rows.map((row) => row.author_id)) };
}

async function graphqlAttachments(req, id) {
  const { rows, users, granted } = await attachmentsOf(req, id);
  return graphql(rows, users, granted);
}

async function search(req, word) {
  const viewer = await viewerOf(req);
  const rows = await db.many('search', bindings.search(viewer.id, word, PAGE + 1));
  const nodes = rows.slice(0, PAGE).map(({ id, subject }) => ({ databaseId: id, subject }));
  return { data: { workPackages: { nodes, pageInfo: { hasNextPage: rows.length > PAGE } } } };
}

async function upload(req, id) {
  const viewer = await viewerOf(req);
  const container = await visibleWorkPackage(viewer, id);
  const granted = await permissionsOf(viewer, container.project_id);
  if (!granted.has('edit_work_packages')) throw new Refused(403);
  const key = randomBytes(16).toString('hex');
  const token = randomBytes(16).toString('hex');
  const asked = new Date();
  const now = asked.toISOString();
  const lease = new Date(asked.getTime() + LEASE_MS).toISOString();
  const [row] = await db.alone('reserve', [
    viewer.id,
    key,
    '',
    now,
    '',
    'sha256',
    '',
    null,
    '',
    0,
    token,
    lease,
    'storing',
    'uploaded',
    now,
    container.id,
  ]);
  const { size, hash, details } = await receive(req, blobs, key);
  const done = new Date().toISOString();
  const type = 'application/octet-stream';
  await db.transaction([
    [
      'finish',
      [
        details.fileName,
        '',
        size,
        type,
        hash,
        'kept',
        null,
        null,
        null,
        done,
        row.id,
        'storing',
        token,
      ],
    ],
    [
      'record',
      [
        viewer.id,
        JSON.stringify([{ action: 'attachmentAdded', fileName: details.fileName }]),
        '',
        done,
        false,
        'system',
        done,
        container.id,
      ],
    ],
    ['touch', [done, container.id]],
  ]);
  Object.assign(row, {
    file_name: details.fileName,
    file_size: size,
    content_type: type,
    digest_hash: hash,
  });
  return withEmbeds(viewer, row, container, granted);
}

async function bodyOf(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function dataOf(req, query, { id, search: word }) {
  if (word !== undefined) return search(req, word);
  return query.includes('fileLinks')
    ? fileLinksOf(req, Number(id))
    : graphqlAttachments(req, Number(id));
}

function answer(res, type, body) {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(200, {
    'Content-Type': type,
    'Content-Length': bytes.byteLength,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
  });
  res.end(bytes);
}

async function handle(req, res) {
  const [, , , noun, id] = req.url.split('/');
  if (req.url === '/graphql') {
    const { query, variables } = await bodyOf(req);
    answer(res, JSON_TYPE, await dataOf(req, query, variables));
  } else if (req.url === '/raw') {
    const key = randomBytes(16).toString('hex');
    answer(res, HAL, { key, ...(await receive(req, blobs, key)) });
  } else if (req.url.startsWith('/raw/')) {
    const path = pathOf(blobs, req.url.slice('/raw/'.length));
    await send(res, path, (await stat(path)).size);
  } else if (noun === 'file_links') answer(res, HAL, await fileLinkWith(req, Number(id)));
  else if (noun === 'attachments') answer(res, HAL, await oneAttachment(req, Number(id)));
  else if (req.method === 'POST') answer(res, HAL, await upload(req, Number(id)));
  else {
    const { rows, users, container, granted } = await attachmentsOf(req, Number(id));
    answer(res, HAL, collection(rows, users, container, granted));
  }
}

const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, (req, res) => {
  handle(req, res).catch((error) => {
    if (res.headersSent) return res.destroy();
    if (!(error instanceof Refused)) process.stderr.write(`${error.stack}\n`);
    res.writeHead(error.status ?? 500, { 'Content-Length': 0, Connection: 'close' });
    res.end();
  });
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(
    `${JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })}\n`,
  ),
);
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  setImmediate(() => process.exit(0));
});
