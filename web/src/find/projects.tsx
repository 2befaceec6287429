import { useState } from 'react';
import { ProjectsDocument } from '../generated/documents';
import { moorage } from '../service';
import { Blank } from '../shell/failure';
import { FilterField } from '../shell/filter-field';
import { Heading } from '../shell/page';
import { say } from '../words';
import { PAGE, Paged, usePaged } from './paged';
import { ProjectCard } from './project-card';

export const loadProjects =
  (search: string, first: number) => async (after: string | undefined, signal: AbortSignal) =>
    (
      await moorage.query(
        ProjectsDocument,
        { search: search || undefined, first, after },
        { signal },
      )
    ).projects;

export function Projects() {
  const [search, setSearch] = useState('');
  const list = usePaged(['projects', search], loadProjects(search, PAGE));
  return (
    <>
      <Heading title={say('app.projects')} count={list.total} />
      <div className="wrap">
        <div className="head">
          <FilterField label="project.find" value={search} onChange={setSearch} />
        </div>
        <Paged
          list={list}
          empty={
            <Blank icon="folder" title={say(search ? 'project.noMatch' : 'home.noProjects')} />
          }
        >
          {(rows) => (
            <ul className="cards">
              {rows.map((project) => (
                <ProjectCard key={project.id} project={project} />
              ))}
            </ul>
          )}
        </Paged>
      </div>
    </>
  );
}
