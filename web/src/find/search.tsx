/** One search over files, linked files, work packages and projects. Files come first, with filters. */
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  SearchLinkedFilesDocument,
  SearchProjectsDocument,
  SearchWorkPackagesDocument,
} from '../generated/documents';
import { moorage } from '../service';
import { Blank, Loading } from '../shell/failure';
import { useMe } from '../shell/me';
import { Heading } from '../shell/page';
import { SearchBox } from '../shell/search-box';
import { say } from '../words';
import { filterOf, hasFilters, type Filters } from './file-filters';
import { FileList } from './file-list';
import { FilterBar } from './filter-bar';
import { peopleOf, useFoundFiles } from './found-files';
import { Highlighted } from './highlighted';
import { LinkList } from './link-list';
import { Paged, usePaged } from './paged';
import { noneWithoutPermission } from './permission';
import { ProjectCard } from './project-card';
import { loadProjects } from './projects';
import { WorkPackageList } from './work-package-list';

export function Search({ words, filters }: { words: string; filters: Filters }) {
  return (
    <>
      <div className="home-hull plain">
        <Heading
          title={say('search.title')}
          window={words || say('search.title')}
          facts={<SearchBox search={words} focus={!words} />}
        />
      </div>
      <div className="wrap">
        {words ? (
          <Found key={words} words={words} filters={filters} />
        ) : (
          <Blank icon="search" title={say('search.hint')} />
        )}
      </div>
    </>
  );
}

/** Rows of each list that are shown at first. */
const SHOWN = 20;
/** More would be no choice. */
const PROJECTS = 200;

function Found({ words: search, filters }: { words: string; filters: Filters }) {
  const navigate = useNavigate();
  const me = useMe().data?.viewer;
  const choice = usePaged(['projects', 'choice'], loadProjects('', PROJECTS));
  const files = useFoundFiles('search', { search, filter: filterOf(filters), first: SHOWN });
  const links = usePaged(['search', 'links', search], async (after, signal) => {
    const variables = { search, first: SHOWN, after };
    return (await moorage.query(SearchLinkedFilesDocument, variables, { signal })).fileLinks;
  });
  const workPackages = usePaged(['search', 'work packages', search], async (after, signal) => {
    const variables = { search, first: SHOWN, after };
    const answer = await moorage
      .query(SearchWorkPackagesDocument, variables, { signal })
      .catch(noneWithoutPermission);
    return answer?.workPackages;
  });
  const projects = usePaged(['search', 'projects', search], async (after, signal) => {
    const variables = { search, first: SHOWN, after };
    return (await moorage.query(SearchProjectsDocument, variables, { signal })).projects;
  });
  const isFiltered = hasFilters(filters);
  // The filters are about files: other rows would only hide that nothing is left.
  const lists = isFiltered ? [files] : [files, links, workPackages, projects];
  const isPending = lists.some(({ query }) => query.isPending);
  const isEmpty = lists.every(({ query, rows }) => query.isSuccess && rows.length === 0);
  return (
    <>
      <FilterBar
        filters={filters}
        onChange={(next) =>
          void navigate({ to: '/search', search: { q: search, ...next }, replace: true })
        }
        people={peopleOf(files.rows, me ? [me] : [])}
        projects={choice.rows}
      />
      <p className="unseen" role="status">
        {!isPending && say('search.found', { search, files: files.total })}
      </p>
      {isPending ? (
        <Loading />
      ) : isEmpty ? (
        <Blank icon="search" title={say('search.none', { search })} />
      ) : (
        <Highlighted search={search}>
          <div className="sections">
            <Section id="files" title={say('search.files')} list={files}>
              {(rows) => <FileList files={rows} />}
            </Section>
            {!isFiltered && (
              <>
                <Section id="linked-files" title={say('links.title')} list={links}>
                  {(rows) => <LinkList links={rows} />}
                </Section>
                <Section id="work-packages" title={say('search.workPackages')} list={workPackages}>
                  {(rows) => <WorkPackageList rows={rows} withProject />}
                </Section>
                <Section id="projects" title={say('search.projects')} list={projects}>
                  {(rows) => (
                    <ul className="cards">
                      {rows.map((project) => (
                        <ProjectCard key={project.id} project={project} />
                      ))}
                    </ul>
                  )}
                </Section>
              </>
            )}
          </div>
        </Highlighted>
      )}
    </>
  );
}

/** What was found of one kind. Without rows it is left out. */
function Section<Row>({
  id,
  title,
  list,
  children,
}: {
  id: string;
  title: string;
  list: ReturnType<typeof usePaged<Row>>;
  children: (rows: Row[]) => ReactNode;
}) {
  if (list.query.isSuccess && list.rows.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <div className="head">
        <h2 id={id}>
          {title} <span className="count">{list.total}</span>
        </h2>
      </div>
      <Paged list={list} empty={undefined}>
        {children}
      </Paged>
    </section>
  );
}
