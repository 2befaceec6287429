/** The addresses of the web application. Those of other applications lead to some of them. */
import {
  containerKinds,
  plainContainers,
  type NamedContainer,
} from '../contract/container-kinds.js';

/** The page is at `/` for everybody. */
export const HOME = '/';

/** The form for a new work package. */
export const NEW_WORK_PACKAGE = '/projects/:identifier/work_packages/new';

const workPackages = [
  '/wp/:id',
  '/notifications/details/:id',
  ...['', '/projects/:identifier'].flatMap((project) => [
    `${project}/work_packages/details/:id`,
    `${project}/work_packages/:id`,
  ]),
];
/** Other applications lead to parts of the page. */
const parts = ['', '/activity', '/overview', '/files'];

/** Addresses of one work package. Its number is `:id`. */
export const workPackageAddresses: readonly string[] = workPackages.flatMap((address) =>
  parts.map((part) => address + part),
);

const projectSections = ['work_packages', 'meetings', 'posts', 'wiki_pages', 'storages', 'members'];

/** Pages for administrators. To others they do not exist. */
const administration = [
  '',
  ...['/storages', '/people', '/projects', '/roles', '/webhooks'].flatMap((list) => [
    list,
    `${list}/new`,
    `${list}/:id`,
  ]),
  '/applications',
  '/applications/new',
  '/quarantine',
  '/audit',
  '/import',
  '/system',
  '/usage',
].map((path) => `/administration${path}`);

/** A route of Express, and what its `:id` or `:identifier` names. */
export interface Address {
  path: string;
  names?: NamedContainer | 'Project' | 'Administration';
}

/** Pages that need a sign-in. An earlier one wins. */
export const signedInAddresses: readonly Address[] = [
  ...['/search', '/recent', '/notifications', '/account', '/projects'].map((path) => ({ path })),
  { path: '/projects/:identifier', names: 'Project' },
  ...projectSections.map((section): Address => ({
    path: `/projects/:identifier/${section}`,
    names: 'Project',
  })),
  { path: NEW_WORK_PACKAGE, names: 'Project' },
  ...administration.map((path): Address => ({ path, names: 'Administration' })),
  ...workPackageAddresses.map((path): Address => ({ path, names: 'WorkPackage' })),
  ...plainContainers.map((kind): Address => ({
    path: `/${containerKinds[kind].segment}/:id`,
    names: kind,
  })),
];
