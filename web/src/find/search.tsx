import { MoorageError } from 'moorage-client';
import type { ReactNode } from 'react';
import {
  SearchFilesDocument,
  SearchLinkedFilesDocument,
  SearchProjectsDocument,
  SearchWorkPackagesDocument,
} from '../generated/documents';
import { moorage } from '../service';
import { Blank, Loading } from '../shell/failure';
import { Heading } from '../shell/page';
import { SearchBox } from '../shell/search-box';
import { say } from '../words';
import { FileList } from './file-list';
import { LinkList } from './link-list';
import { Paged, usePaged } from './paged';
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

/** Rows of each list that are shown at first. */
const SHOWN = 20;

function Found({ words: search }: { words: string }) {
  const files = usePaged(['search', 'files', search], async (after, signal) => {
    const variables = { search, first: SHOWN, after };
    return (await moorage.query(SearchFilesDocument, variables, { signal })).attachments;
  });
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
  const lists = [files, links, workPackages, projects];
  if (lists.some(({ query }) => query.isPending)) return <Loading />;
  if (lists.every(({ query, rows }) => query.isSuccess && rows.length === 0))
    return <Blank icon="search" title={say('search.none', { search })} />;
  return (
    <div className="sections">
      <Section id="files" title={say('search.files')} list={files}>
        {(rows) => <FileList files={rows} />}
      </Section>
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
    </div>
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
