/** What files use: all together, by kind, and in the largest projects. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { moorage } from '../service';
import { Blank, Failure, Loading } from '../shell/failure';
import { nameOf, say, type WordKey } from '../words';
import { size } from '../words/formats';
import { Frame } from './frame';
import {
  StorageUsageDocument,
  type ContainerType,
  type StorageUsageQuery,
} from './generated/documents';

type All = StorageUsageQuery['storageUsage'];
const PROJECTS = 50;

const kinds: { readonly [kind in ContainerType]?: WordKey } = {
  ACTIVITY: 'kind.Activity',
  MEETING: 'kind.Meeting',
  POST: 'kind.Post',
  WIKI_PAGE: 'kind.WikiPage',
  WORK_PACKAGE: 'kind.WorkPackage',
};

/** What a project uses, and how much it may. */
export const usageOf = (used: number, quota: number | null): string =>
  quota === null
    ? say('usage.ofNoLimit', { used: size(used) })
    : say('usage.of', { used: size(used), quota: size(quota, { down: true }) });

export function Usage() {
  const query = useQuery({
    queryKey: ['administration', 'usage'],
    queryFn: async ({ signal }) =>
      (await moorage.query(StorageUsageDocument, { first: PROJECTS }, { signal })).storageUsage,
  });
  return (
    <Frame title={say('usage.title')} facts={<span>{say('usage.says')}</span>}>
      {query.isPending ? (
        <Loading />
      ) : query.isError ? (
        <Failure error={query.error} again={() => void query.refetch()} />
      ) : query.data.files === 0 ? (
        <Blank icon="box" title={say('usage.none')} />
      ) : (
        <>
          <Kinds usage={query.data} />
          <Projects projects={query.data.projects} />
        </>
      )}
    </Frame>
  );
}

function Kinds({ usage }: { usage: All }) {
  return (
    <section className="panel" aria-labelledby="kinds">
      <h2 id="kinds">{say('usage.byKind')}</h2>
      <dl className="figures">
        {[{ kind: undefined, ...usage }, ...usage.kinds].map(({ kind, bytes, files }) => (
          <div key={kind ?? ''}>
            <dt>{kind ? nameOf(kinds[kind], kind) : say('usage.all')}</dt>
            <dd>
              <b>{size(bytes)}</b>
              <span className="small soft">{say('usage.files', { count: files })}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Projects({ projects }: { projects: All['projects'] }) {
  const largest = projects[0]?.bytes ?? 0;
  return (
    <section className="zone" aria-labelledby="projects">
      <h2 id="projects">{say('usage.byProject')}</h2>
      <ul className="usage">
        {projects.map(({ bytes, files, project }) => (
          <li key={project.id}>
            <Link to="/administration/projects/$id" params={{ id: String(project.databaseId) }}>
              <bdi>{project.name}</bdi>
            </Link>
            <progress value={bytes} max={largest || 1} aria-hidden="true" />
            <span className="small">
              {usageOf(bytes, project.storageQuota)}
              {', '}
              <span className="soft">{say('usage.files', { count: files })}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
