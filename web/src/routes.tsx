/** The address of each page. `src/pages/application-addresses.ts` of the service lists the same ones. */
import { createRootRoute, createRoute, createRouter, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ContainerPage, type ContainerType } from './files/container-page';
import { validateFile, type FileSearch } from './files/open-file';
import { validateFilters, type Filters } from './find/file-filters';
import { Home } from './find/home';
import { NewWorkPackage } from './find/new-work-package';
import { Notifications } from './find/notifications';
import { ProjectPage } from './find/project';
import type { Section } from './find/project-tabs';
import { Projects } from './find/projects';
import { Recent } from './find/recent';
import { Search } from './find/search';
import type { AdministrationSection } from './administration/administration';
import { AdministrationPage } from './shell/administration-page';
import { Failure, Loading, Missing } from './shell/failure';
import { Page } from './shell/page';

const AccountPage = lazy(() => import('./account/account-page'));

const root = createRootRoute({
  component: Page,
  notFoundComponent: Missing,
  errorComponent: ({ error, reset }) => <Failure whole error={error} again={reset} />,
});

const page = (path: string, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => root, path, component });

/** The parts of the address that have a `$`. */
const useAddress = (): { id?: string; identifier?: string } => useParams({ strict: false });

function containerPage(path: string, type: ContainerType) {
  function Container() {
    const { id = '' } = useAddress();
    return <ContainerPage key={`${type} ${id}`} type={type} id={id} />;
  }
  const validateSearch = (search: FileSearch): FileSearch => validateFile(search);
  return createRoute({ getParentRoute: () => root, path, component: Container, validateSearch });
}
function projectPage(section: Section) {
  return function Project() {
    const { identifier = '' } = useAddress();
    return <ProjectPage key={identifier} identifier={identifier} section={section} />;
  };
}
function administrationPage(section: AdministrationSection) {
  return function Administration() {
    const { id = '' } = useAddress();
    return <AdministrationPage section={section} id={id} />;
  };
}
function New() {
  const { identifier = '' } = useAddress();
  return <NewWorkPackage identifier={identifier} />;
}

interface SearchWords extends Filters {
  q: string;
}
const searchRoute = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ q, ...search }: { [name: string]: unknown }): SearchWords => ({
    q: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
    ...validateFilters(search),
  }),
  component: function SearchPage() {
    const { q, ...filters } = searchRoute.useSearch();
    return <Search words={q} filters={filters} />;
  },
});

const Account = () => (
  <Suspense fallback={<Loading />}>
    <AccountPage />
  </Suspense>
);

const workPackageAddresses = [
  '/wp/$id',
  '/notifications/details/$id',
  '/work_packages/details/$id',
  '/work_packages/$id',
  '/projects/$identifier/work_packages/details/$id',
  '/projects/$identifier/work_packages/$id',
].flatMap((path) => ['', '/activity', '/overview', '/files'].map((part) => path + part));

const tree = root.addChildren([
  page('/', Home),
  page('/projects', Projects),
  page('/recent', Recent),
  page('/notifications', Notifications),
  page('/account', Account),
  searchRoute,
  page('/projects/$identifier', projectPage('files')),
  page('/projects/$identifier/work_packages', projectPage('workPackages')),
  page('/projects/$identifier/meetings', projectPage('meetings')),
  page('/projects/$identifier/posts', projectPage('posts')),
  page('/projects/$identifier/wiki_pages', projectPage('wikiPages')),
  page('/projects/$identifier/storages', projectPage('storages')),
  page('/projects/$identifier/members', projectPage('members')),
  page('/projects/$identifier/work_packages/new', New),
  page('/administration', administrationPage('storages')),
  page('/administration/storages', administrationPage('storages')),
  page('/administration/storages/new', administrationPage('newStorage')),
  page('/administration/storages/$id', administrationPage('storage')),
  page('/administration/quarantine', administrationPage('quarantine')),
  page('/administration/people', administrationPage('people')),
  page('/administration/people/new', administrationPage('newPerson')),
  page('/administration/people/$id', administrationPage('person')),
  page('/administration/projects', administrationPage('projects')),
  page('/administration/projects/new', administrationPage('newProject')),
  page('/administration/projects/$id', administrationPage('project')),
  page('/administration/roles', administrationPage('roles')),
  page('/administration/roles/new', administrationPage('newRole')),
  page('/administration/roles/$id', administrationPage('role')),
  page('/administration/audit', administrationPage('audit')),
  page('/administration/webhooks', administrationPage('webhooks')),
  page('/administration/webhooks/new', administrationPage('newWebhook')),
  page('/administration/webhooks/$id', administrationPage('webhook')),
  page('/administration/applications', administrationPage('applications')),
  page('/administration/applications/new', administrationPage('newApplication')),
  page('/administration/import', administrationPage('import')),
  page('/administration/system', administrationPage('system')),
  page('/administration/usage', administrationPage('usage')),
  containerPage('/meetings/$id', 'Meeting'),
  containerPage('/posts/$id', 'Post'),
  containerPage('/wiki_pages/$id', 'WikiPage'),
  ...workPackageAddresses.map((path) => containerPage(path, 'WorkPackage')),
]);

export const router = createRouter({ routeTree: tree, scrollRestoration: true });
