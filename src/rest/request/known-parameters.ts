/** Refuses query parameters that an operation does not have. */
import { Router, type RequestHandler } from 'express';
import { containerKinds, containerTypes } from '../../contract/container-kinds.js';
import { InvalidQuery } from '../../contract/errors.js';

const page = ['offset', 'pageSize'];
const list = [...page, 'filters', 'sortBy'];
const workPackageList = [...list, 'groupBy', 'select', 'showSums'];
const projectList = [...list, 'select'];

/** By method and path. An operation that is not here has none. */
const parameters: { readonly [operation: string]: readonly string[] } = {
  // These lists have no pages: they are whole, whatever page is asked for.
  ...Object.fromEntries(
    [
      ...containerTypes.map((type) => `/${containerKinds[type].segment}/:id/attachments`),
      '/work_packages/:id/activities',
      '/projects/:id/categories',
      '/projects/:id/types',
      '/projects/:id/available_assignees',
      '/statuses',
      '/types',
      '/roles',
    ].map((path) => [`GET ${path}`, page]),
  ),
  'GET /attachments/:id/content': ['disposition', 'access'],
  'GET /users/:id/avatar': ['access'],
  ...Object.fromEntries(
    containerTypes.map((type) => [
      `GET /${containerKinds[type].segment}/:id/attachments/archive`,
      ['ids', 'access'],
    ]),
  ),
  'GET /work_packages': workPackageList,
  'GET /projects/:id/work_packages': workPackageList,
  'GET /work_packages/available_projects': projectList,
  'GET /projects': projectList,
  'POST /work_packages': ['notify'],
  'POST /projects/:id/work_packages': ['notify'],
  'PATCH /work_packages/:id': ['notify'],
  'POST /work_packages/:id/activities': ['notify'],
  'PATCH /activities/:id': ['notify'],
  'GET /notifications': [...list, 'groupBy'],
  'POST /notifications/read_ian': ['filters'],
  'POST /notifications/unread_ian': ['filters'],
  'GET /memberships': [...page, 'filters'],
  'GET /storages': [...page, 'filters'],
  'GET /project_storages': [...page, 'filters'],
  'GET /storages/:id/files': ['parent'],
  'GET /work_packages/:id/file_links': [...page, 'filters'],
  'GET /file_links/:id/open': ['location'],
  'POST /render/markdown': ['context'],
};

/**
 * @param paths templates with their methods. One that covers another comes after it.
 */
export function refuseUnknownParameters(
  paths: readonly (readonly [path: string, methods: ReadonlySet<string>])[],
): RequestHandler {
  const routes = Router();
  for (const [path, methods] of paths)
    routes.all(path, ({ method, query }, _res, next) => {
      // Other methods get their own refusal.
      if (methods.has(method))
        demandKnown(query, parameters[`${method === 'HEAD' ? 'GET' : method} ${path}`] ?? []);
      next('router');
    });
  return (req, res, next) => (req.url.includes('?') ? routes(req, res, next) : next());
}

/** @throws InvalidQuery */
function demandKnown(query: { readonly [name: string]: unknown }, known: readonly string[]): void {
  for (const [name, value] of Object.entries(query)) {
    const quoted = name.slice(0, 100);
    if (!known.includes(name))
      throw new InvalidQuery(`The query parameter '${quoted}' does not exist.`, quoted || 'base');
    if (typeof value !== 'string')
      throw new InvalidQuery(`The query parameter '${quoted}' is given more than once.`, quoted);
  }
}
