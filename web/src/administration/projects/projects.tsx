/** All projects, also archived ones. */
import { Link } from '@tanstack/react-router';
import { moorage } from '../../service';
import { Blank } from '../../shell/failure';
import { say } from '../../words';
import { AdministeredProjectsDocument } from '../generated/documents';
import { SearchedList } from '../searched-list';

export function AdministeredProjects() {
  return (
    <SearchedList
      list="projects"
      title="app.projects"
      add="projects.add"
      find="project.find"
      load={async (variables, signal) =>
        (await moorage.query(AdministeredProjectsDocument, variables, { signal })).projects
      }
      empty={(search) => (
        <Blank
          icon="folder"
          title={search ? say('search.none', { search }) : say('projects.none')}
        />
      )}
      columns={['table.name', 'project.members', 'people.state']}
    >
      {(project) => (
        <>
          <th scope="row" className="named">
            <div>
              <div>
                <Link to="/administration/projects/$id" params={{ id: String(project.databaseId) }}>
                  <bdi>{project.name}</bdi>
                </Link>
                <p className="small soft">
                  <bdi>{project.identifier}</bdi>
                </p>
              </div>
            </div>
          </th>
          <td>{say('storages.people', { count: project.memberships.totalCount })}</td>
          <td>
            {[
              say(project.active ? 'projects.active' : 'projects.archived'),
              ...(project.public ? [say('projects.public')] : []),
            ].join(', ')}
          </td>
        </>
      )}
    </SearchedList>
  );
}
