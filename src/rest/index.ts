/** The router of `/api/v3`: all routes, methods and errors of the HAL interface. */
import { Router, type RequestHandler } from 'express';
import type { DocumentNode } from 'graphql';
import { MethodNotAllowed } from '../contract/errors.js';
import type { Profile } from '../contract/profiles.js';
import { archive } from './routes/archive.js';
import { attachments, refuseHead } from './routes/attachments.js';
import { avatar } from './routes/avatar.js';
import { jsonIfAny } from './request/body.js';
import { refuseUnknownParameters } from './request/known-parameters.js';
import { leadToSignIn } from './request/clicked-links.js';
import { containers } from './routes/containers.js';
import { content } from './routes/content.js';
import * as documents from './generated/documents.js';
import { errorHandler, unknownPath } from './represent/errors.js';
import { prepare } from './documents/run.js';
import { lists } from './routes/lists.js';
import { workPackageForms } from './routes/work-package-forms.js';
import { notifications } from './routes/notifications.js';
import { people } from './routes/people.js';
import { memberships } from './routes/memberships.js';
import { markdown } from './routes/markdown.js';
import { root } from './routes/root.js';
import { fileLinks } from './routes/file-links.js';
import { spec } from './routes/spec.js';
import { storages } from './routes/storages.js';

export function restRouter(profile: Profile, identify: RequestHandler): Router {
  prepare(
    Object.entries(documents).flatMap(([name, document]): DocumentNode[] =>
      name.endsWith('Document') && typeof document !== 'function' ? [document] : [],
    ),
  );
  const router = Router();
  router.use(identify);
  const nouns = [
    attachments,
    content,
    archive,
    lists,
    workPackageForms,
    notifications,
    containers,
    people,
    memberships,
    avatar,
    markdown,
    root,
    spec,
    storages,
    fileLinks,
  ];
  const methods = [...methodsByPath(nouns)];
  const refuseOthers = (paths: typeof methods) =>
    paths.forEach(([path, allowed]) => router.all(path, refuseOtherThan(allowed)));
  // `/attachments/prepare` also matches `/attachments/:id`, but it is no attachment.
  // So its other methods are refused before the routes.
  const covered = (path: string) => methods.some(([other]) => covers(other, path));
  const [first, last] = [true, false].map((is) =>
    methods.filter(([path]) => covered(path) === is),
  ) as [typeof methods, typeof methods];
  refuseOthers(first);
  router.use(refuseUnknownParameters([...first, ...last]));
  // For OPTIONS, express would list the methods of every template that matches.
  // Only two methods pass these routes, so that the others lose no time.
  const beforeRoutes = Router();
  for (const [path, allowed] of methods) {
    const nameMethods = refuseOtherThan(allowed);
    beforeRoutes.all(path, (req, res, next) =>
      (req.method === 'OPTIONS' ? nameMethods : allowed.has('DELETE') ? jsonIfAny : pass)(
        req,
        res,
        next,
      ),
    );
  }
  router.use((req, res, next) =>
    (req.method === 'OPTIONS' || req.method === 'DELETE' ? beforeRoutes : pass)(req, res, next),
  );
  for (const noun of nouns) router.use(noun);
  refuseOthers(last);
  router.use(unknownPath, leadToSignIn, errorHandler(profile));
  return router;
}

const pass: RequestHandler = (_req, _res, next) => next();

/** Whether a template matches every path of another: `/users/:id` matches `/users/me`. */
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
    if (route.stack.some(({ handle }) => handle === refuseHead)) headless.add(route.path);
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
