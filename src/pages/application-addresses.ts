/** The addresses of the web application. */
import { containerKinds, plainContainers } from '../contract/container-kinds.js';

/** The page is at `/` for everybody. */
export const HOME = '/';

/** Addresses of the pages that need a sign-in, as routes of Express. */
export const signedInAddresses: readonly string[] = [
  '/search',
  '/recent',
  '/notifications',
  '/notifications/details/:id{/activity}',
  '/projects',
  // Below it are also the addresses to which companion apps lead, such as
  // `/projects/demo/work_packages/7/activity` and `/projects/demo/work_packages/new`.
  '/projects/:identifier{/*path}',
  '/wp/:id{/*path}',
  // Companion apps lead there too.
  '/work_packages/details/:id{/*path}',
  `/${containerKinds.WorkPackage.segment}/:id{/*path}`,
  ...plainContainers.map((kind) => `/${containerKinds[kind].segment}/:id{/*path}`),
];
