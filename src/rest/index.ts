/** The HAL interface as one router, for `/api/v3`. */
import { Router, type RequestHandler } from 'express';
import { MethodNotAllowed } from '../contract/errors.js';
import type { Profile } from '../contract/profiles.js';
import { attachments, notHead } from './routes/attachments.js';
import { jsonIfAny } from './request/body.js';
import { containers } from './routes/containers.js';
import { content } from './routes/content.js';
import * as documents from './documents/index.js';
import { errorHandler, unknownPath } from './represent/errors.js';
import { prepare } from './documents/run.js';
import { people } from './routes/people.js';
import { root } from './routes/root.js';
import { fileLinks } from './routes/file-links.js';
import { spec } from './routes/spec.js';
import { storages } from './routes/storages.js';

export function restRouter(profile: Profile, identify: RequestHandler): Router {
  prepare(
    Object.entries(documents).flatMap(([name, value]) =>
      name.endsWith('Document') ? [value as never] : [],
    ),
  );
  const router = Router();
  router.use(identify);
  const nouns = [attachments, content, containers, people, root, spec, storages, fileLinks];
  const methods = [...methodsByPath(nouns)];
  const refuseOthers = (paths: typeof methods) =>
    paths.forEach(([path, allowed]) => router.all(path, refuseOtherThan(allowed)));
  // A literal path is not an id: `GET /attachments/prepare` does not ask for an attachment.
  const covered = (path: string) => methods.some(([other]) => covers(other, path));
  refuseOthers(methods.filter(([path]) => covered(path)));
  // Comes before the nouns: their routers would list the methods of every template that fits.
  // Only for two methods, so that other requests do not pass all these routes.
  const beforehand = Router();
  for (const [path, allowed] of methods) {
    const nameMethods = refuseOtherThan(allowed);
    beforehand.all(path, (req, res, next) =>
      (req.method === 'OPTIONS' ? nameMethods : allowed.has('DELETE') ? jsonIfAny : pass)(
        req,
        res,
        next,
      ),
    );
  }
  router.use((req, res, next) =>
    (req.method === 'OPTIONS' || req.method === 'DELETE' ? beforehand : pass)(req, res, next),
  );
  for (const noun of nouns) router.use(noun);
  refuseOthers(methods.filter(([path]) => !covered(path)));
  router.use(unknownPath, errorHandler(profile));
  return router;
}

const pass: RequestHandler = (_req, _res, next) => next();

/** Whether a template matches every path of another one: `/users/:id` that of `/users/me`. */
function covers(template: string, path: string): boolean {
  const [wide, narrow] = [template.split('/'), path.split('/')];
  return (
    template !== path &&
    wide.length === narrow.length &&
    wide.every((segment, index) => segment === narrow[index] || segment.startsWith(':'))
  );
}

function methodsByPath(routers: Router[]): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  const headless = new Set<string>();
  for (const { route } of routers.flatMap(({ stack }) => stack)) {
    if (!route) continue;
    const known = methods.get(route.path) ?? new Set();
    for (const { method } of route.stack) known.add(method.toUpperCase());
    methods.set(route.path, known);
    if (route.stack.some(({ handle }) => handle === notHead)) headless.add(route.path);
  }
  for (const [path, known] of methods)
    if (known.has('GET') && !headless.has(path)) known.add('HEAD');
  return methods;
}

const refuseOtherThan =
  (allowed: Set<string>): RequestHandler =>
  (req, res, next) => {
    if (allowed.has(req.method)) return next();
    res.setHeader('Allow', [...allowed].join(', '));
    if (req.method !== 'OPTIONS') throw new MethodNotAllowed();
    res.end();
  };
