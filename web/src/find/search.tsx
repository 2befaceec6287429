import { useQuery } from '@tanstack/react-query';
import { MoorageError } from 'moorage-client';
import { SearchProjectsDocument, SearchWorkPackagesDocument } from '../generated/documents';
import { moorage } from '../service';
import { Blank, Failure, Loading } from '../shell/failure';
import { Heading } from '../shell/page';
import { SearchBox } from '../shell/search-box';
import { say } from '../words';
import { PAGE, Paged, usePaged } from './paged';
import { ProjectCard } from './project-card';
import { WorkPackageList } from './work-package-list';

export function Search({ words }: { words: string }) {
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
          <Found key={words} words={words} />
        ) : (
          <Blank icon="search" title={say('search.hint')} />
        )}
      </div>
    </>
  );
}

/** Whoever may see no work package at all finds none. */
function noneWithoutPermission(error: unknown): undefined {
  if (error instanceof MoorageError && error.status === 403) return undefined;
  throw error;
}

function Found({ words }: { words: string }) {
  const query = useQuery({
    queryKey: ['search', 'projects', words],
    queryFn: ({ signal }) => moorage.query(SearchProjectsDocument, { search: words }, { signal }),
  });
  const list = usePaged(['search', words], async (after, signal) => {
    const variables = { search: words, first: PAGE, after };
    const answer = await moorage
      .query(SearchWorkPackagesDocument, variables, { signal })
      .catch(noneWithoutPermission);
    return answer?.workPackages;
  });
  if (query.isPending || list.query.isPending) return <Loading />;
  if (query.isError) return <Failure error={query.error} again={() => void query.refetch()} />;
  const projects = query.data.projects.nodes;
  if (list.query.isSuccess && list.rows.length === 0 && projects.length === 0)
    return <Blank icon="search" title={say('search.none', { search: words })} />;
  return (
    <div className="sections">
      {projects.length > 0 && (
        <section>
          <div className="head">
            <h2>{say('search.projects')}</h2>
          </div>
          <ul className="cards">
            {projects.map((project) => (
              <ProjectCard key={project.id} project={project} />
            ))}
          </ul>
        </section>
      )}
      <Paged list={list} empty={undefined}>
        {(rows) => (
          <section>
            <div className="head">
              <h2>
                {say('search.workPackages')} <span className="count">{list.total}</span>
              </h2>
            </div>
            <WorkPackageList rows={rows} withProject />
          </section>
        )}
      </Paged>
    </div>
  );
}
