/** A project: its files, work packages, meetings, posts, wiki pages, storages and members. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  ProjectDocument,
  ProjectMeetingsDocument,
  ProjectPostsDocument,
  ProjectWikiPagesDocument,
  ProjectWorkPackagesDocument,
} from '../generated/documents';
import { moorage } from '../service';
import { Crumbs } from '../shell/crumbs';
import { Blank, Failure, Loading, Missing } from '../shell/failure';
import { FilterField } from '../shell/filter-field';
import { Icon } from '../shell/icon';
import { Heading } from '../shell/page';
import { Time } from '../shell/time';
import { say } from '../words';
import { FoundFiles } from './found-files';
import { Members } from './members';
import { PAGE, Paged, usePaged } from './paged';
import { ProjectTabs, sections, type Project, type Section } from './project-tabs';
import { ProjectStorages } from './project-storages';
import { WorkPackageList } from './work-package-list';

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
        <ProjectTabs project={project} section={section} />
        {section === 'files' ? (
          <FoundFiles
            title={say('project.files')}
            always={{ project: project.databaseId }}
            people={[]}
            empty={say('project.noFiles')}
          />
        ) : section === 'storages' ? (
          <ProjectStorages projectId={project.id} />
        ) : section === 'members' ? (
          <Members identifier={identifier} />
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

function mayView(
  project: Project,
  section: Exclude<Section, 'files' | 'storages' | 'members'>,
): boolean {
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
