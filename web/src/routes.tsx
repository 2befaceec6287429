/** The address of each page. `src/pages/application-addresses.ts` of the service lists the same ones. */
import { createRootRoute, createRoute, createRouter, useParams } from '@tanstack/react-router';
import { ContainerPage, type ContainerType } from './files/container-page';
import { validateFile, type FileSearch } from './files/open-file';
import { Home } from './find/home';
import { NewWorkPackage } from './find/new-work-package';
import { Notifications } from './find/notifications';
import { ProjectPage, type Section } from './find/project';
import { Projects } from './find/projects';
import { Recent } from './find/recent';
import { Search } from './find/search';
import { Failure, Missing } from './shell/failure';
import { Page } from './shell/page';

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
function New() {
  const { identifier = '' } = useAddress();
  return <NewWorkPackage identifier={identifier} />;
}

interface SearchWords {
  q: string;
}
const searchRoute = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ q }: { q?: unknown }): SearchWords => ({
    q: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
  }),
  component: function SearchPage() {
    return <Search words={searchRoute.useSearch().q} />;
  },
});

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
  searchRoute,
  page('/projects/$identifier', projectPage('workPackages')),
  page('/projects/$identifier/work_packages', projectPage('workPackages')),
  page('/projects/$identifier/meetings', projectPage('meetings')),
  page('/projects/$identifier/posts', projectPage('posts')),
  page('/projects/$identifier/wiki_pages', projectPage('wikiPages')),
  page('/projects/$identifier/storages', projectPage('storages')),
  page('/projects/$identifier/work_packages/new', New),
  containerPage('/meetings/$id', 'Meeting'),
  containerPage('/posts/$id', 'Post'),
  containerPage('/wiki_pages/$id', 'WikiPage'),
  ...workPackageAddresses.map((path) => containerPage(path, 'WorkPackage')),
]);

export const router = createRouter({ routeTree: tree, scrollRestoration: true });
