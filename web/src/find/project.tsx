/** A project: its work packages, meetings, posts, wiki pages and storages. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  ProjectDocument,
  ProjectMeetingsDocument,
  ProjectPostsDocument,
  ProjectWikiPagesDocument,
  ProjectWorkPackagesDocument,
  type ProjectQuery,
} from '../generated/documents';
import { moorage } from '../service';
import { Crumbs } from '../shell/crumbs';
import { Blank, Failure, Loading, Missing } from '../shell/failure';
import { FilterField } from '../shell/filter-field';
import { Icon } from '../shell/icon';
import { Heading } from '../shell/page';
import { Time } from '../shell/time';
import { say } from '../words';
import { PAGE, Paged, usePaged } from './paged';
import { ProjectStorages } from './project-storages';
import { WorkPackageList } from './work-package-list';

const sections = {
  workPackages: { to: '/projects/$identifier', label: 'project.workPackages' },
  meetings: { to: '/projects/$identifier/meetings', label: 'project.meetings' },
  posts: { to: '/projects/$identifier/posts', label: 'project.posts' },
  wikiPages: { to: '/projects/$identifier/wiki_pages', label: 'project.wikiPages' },
  storages: { to: '/projects/$identifier/storages', label: 'project.filesOf' },
} as const;
export type Section = keyof typeof sections;
type Project = NonNullable<ProjectQuery['project']>;

export function ProjectPage({ identifier, section }: { identifier: string; section: Section }) {
  const query = useQuery({
    queryKey: ['project', identifier],
    queryFn: ({ signal }) => moorage.query(ProjectDocument, { identifier }, { signal }),
  });
  if (query.isPending) return <Loading />;
  if (query.isError)
    return <Failure whole error={query.error} again={() => void query.refetch()} />;
  const { project } = query.data;
  if (!project) return <Missing />;
  return (
    <>
      <Heading
        title={project.name}
        above={<Crumbs />}
        actions={
          project.viewerCanCreateWorkPackage && (
            <Link
              className="button main"
              to="/projects/$identifier/work_packages/new"
              params={{ identifier }}
            >
              <Icon name="plus" />
              {say('project.new')}
            </Link>
          )
        }
      />
      <div className="wrap">
        <nav className="tabs" aria-label={say('project.sections')}>
          {Object.entries(sections).map(([name, { to, label }]) => (
            <Link
              key={name}
              to={to}
              params={{ identifier }}
              activeOptions={{ exact: true }}
              aria-current={name === section ? 'page' : undefined}
            >
              {say(label)}
            </Link>
          ))}
        </nav>
        {section === 'storages' ? (
          <ProjectStorages projectId={project.id} />
        ) : !mayView(project, section) ? (
          <Blank icon="lock" title={say('project.mayNotView')}>
            <p>{say('project.askForIt')}</p>
          </Blank>
        ) : section === 'workPackages' ? (
          <WorkPackages project={project} />
        ) : (
          <Containers key={section} identifier={identifier} section={section} />
        )}
      </div>
    </>
  );
}

function mayView(project: Project, section: Exclude<Section, 'storages'>): boolean {
  return {
    workPackages: project.viewerCanViewWorkPackages,
    meetings: project.viewerCanViewMeetings,
    posts: project.viewerCanViewPosts,
    wikiPages: project.viewerCanViewWikiPages,
  }[section];
}

function WorkPackages({ project }: { project: Project }) {
  const [search, setSearch] = useState('');
  const list = usePaged(
    ['workPackages', project.id, search],
    async (after, signal) =>
      (
        await moorage.query(
          ProjectWorkPackagesDocument,
          { id: project.id, search: search || undefined, first: PAGE, after },
          { signal },
        )
      ).workPackages,
  );
  return (
    <section>
      <div className="head">
        <h2>
          {say('project.workPackages')} <span className="count">{list.total}</span>
        </h2>
        <FilterField label="project.search" value={search} onChange={setSearch} />
      </div>
      <Paged
        list={list}
        empty={<Blank icon="folder" title={say(search ? 'project.noMatch' : 'project.none')} />}
      >
        {(rows) => <WorkPackageList rows={rows} />}
      </Paged>
    </section>
  );
}

const documents = {
  meetings: ProjectMeetingsDocument,
  posts: ProjectPostsDocument,
  wikiPages: ProjectWikiPagesDocument,
};
const pages = {
  meetings: '/meetings/$id',
  posts: '/posts/$id',
  wikiPages: '/wiki_pages/$id',
} as const;

function Containers({
  identifier,
  section,
}: {
  identifier: string;
  section: keyof typeof documents;
}) {
  const list = usePaged([section, identifier], async (after, signal) => {
    const document = documents[section];
    const answer = await moorage.query(document, { identifier, first: PAGE, after }, { signal });
    return answer.project?.list;
  });
  return (
    <section>
      <div className="head">
        <h2>
          {say(sections[section].label)} <span className="count">{list.total}</span>
        </h2>
      </div>
      <Paged list={list} empty={<Blank icon="folder" title={say('project.none')} />}>
        {(rows) => (
          <ul>
            {rows.map((row) => (
              <li className="item" key={row.id}>
                <span className="number">{row.databaseId}</span>
                <div>
                  <Link to={pages[section]} params={{ id: String(row.databaseId) }}>
                    <bdi>{row.title}</bdi>
                  </Link>
                  <p className="meta">{say('row.by', { name: row.author.name })}</p>
                </div>
                <Time of={row.updatedAt} />
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </section>
  );
}
