import { useQuery } from '@tanstack/react-query';
import { SearchDocument } from '../documents';
import { moorage } from '../service';
import { Blank, Failure, Loading } from '../shell/failure';
import { Heading } from '../shell/page';
import { SearchBox } from '../shell/search-box';
import { numeral, say } from '../words';
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
        {words ? <Found words={words} /> : <Blank icon="search" title={say('search.hint')} />}
      </div>
    </>
  );
}

function Found({ words }: { words: string }) {
  const query = useQuery({
    queryKey: ['search', words],
    queryFn: ({ signal }) => moorage.query(SearchDocument, { search: words }, { signal }),
  });
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failure error={query.error} again={() => void query.refetch()} />;
  const { workPackages, projects } = query.data;
  if (workPackages.nodes.length === 0 && projects.nodes.length === 0)
    return <Blank icon="search" title={say('search.none', { search: words })} />;
  return (
    <div className="sections">
      {projects.nodes.length > 0 && (
        <section>
          <div className="head">
            <h2>{say('search.projects')}</h2>
          </div>
          <ul className="cards">
            {projects.nodes.map((project) => (
              <ProjectCard key={project.id} project={project} />
            ))}
          </ul>
        </section>
      )}
      {workPackages.nodes.length > 0 && (
        <section>
          <div className="head">
            <h2>
              {say('search.workPackages')}{' '}
              <span className="count">{numeral(workPackages.totalCount)}</span>
            </h2>
          </div>
          <WorkPackageList rows={workPackages.nodes} withProject />
        </section>
      )}
    </div>
  );
}
