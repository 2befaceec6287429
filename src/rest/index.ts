/** The HAL interface as one router, to be mounted at `/api/v3`. */
import { Router, type RequestHandler } from 'express';
import { MethodNotAllowed } from '../errors.js';
import type { Profile } from '../profile.js';
import { attachments } from './attachments.js';
import { containers } from './containers.js';
import { content } from './content.js';
import * as documents from './documents.js';
import { errorHandler, unknownPath } from './errors.js';
import { prepare } from './graphql.js';
import { people } from './people.js';
import { root } from './root.js';
import { fileLinks } from './file-links.js';
import { spec } from './spec.js';
import { storages } from './storages.js';

export function restRouter(profile: Profile, identify: RequestHandler): Router {
  prepare(Object.entries(documents).flatMap(([name, value]) => (name.endsWith('Document') ? [value as never] : [])));
  const router = Router();
  router.use(identify);
  const nouns = [attachments, content, containers, people, root, spec, storages, fileLinks];
  for (const noun of nouns) router.use(noun);
  for (const [path, allowed] of methodsByPath(nouns)) router.all(path, refuseMethod(allowed));
  router.use(unknownPath, errorHandler(profile));
  return router;
}

function methodsByPath(routers: Router[]): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const { route } of routers.flatMap(({ stack }) => stack)) {
    if (!route) continue;
    const known = methods.get(route.path) ?? new Set();
    for (const { method } of route.stack) known.add(method.toUpperCase());
    methods.set(route.path, known);
  }
  // `/users/me` is also a `/users/:id`; the more general path comes last and is reached by neither.
  return methods;
}

const refuseMethod = (allowed: Set<string>): RequestHandler => (req, res, next) => {
  if (req.method === 'OPTIONS') return next();
  res.setHeader('Allow', [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', '));
  throw new MethodNotAllowed();
};
