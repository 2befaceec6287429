/** The storages of a project, and how its folder in each of them stands. */
import { useQuery } from '@tanstack/react-query';
import { ProjectStoragesDocument, type ProjectStoragesQuery } from '../generated/documents';
import { connectAddress } from '../links/berth';
import { allPages, moorage } from '../service';
import { Blank, Failure, Loading } from '../shell/failure';
import { Icon } from '../shell/icon';
import { say } from '../words';

/** A new folder is ready a few seconds later. */
const ASK_AGAIN_MS = 3_000;

type ProjectStorage = ProjectStoragesQuery['projectStorages']['nodes'][number];

export function ProjectStorages({ projectId }: { projectId: string }) {
  const query = useQuery({
    queryKey: ['projectStorages', projectId],
    queryFn: ({ signal }) =>
      allPages(async (after) => {
        const variables = { projectIds: [projectId], after };
        return (await moorage.query(ProjectStoragesDocument, variables, { signal }))
          .projectStorages;
      }),
    refetchInterval: ({ state }) => (state.data?.some(isPending) ? ASK_AGAIN_MS : false),
  });
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failure error={query.error} again={() => void query.refetch()} />;
  if (query.data.length === 0) return <Blank icon="server" title={say('links.noStorages')} />;
  return (
    <ul className="cards">
      {query.data.map((projectStorage) => (
        <StorageCard key={projectStorage.id} projectStorage={projectStorage} />
      ))}
    </ul>
  );
}

const isPending = ({ projectFolderState }: ProjectStorage): boolean =>
  projectFolderState === 'PENDING';

function StorageCard({ projectStorage }: { projectStorage: ProjectStorage }) {
  const { databaseId, storage, projectFolderMode } = projectStorage;
  return (
    <li className="card">
      <span className="kind kind-folder">
        <Icon name={storage.type === 'CLOUD_DRIVE' ? 'cloud' : 'server'} />
      </span>
      <div>
        <p className="title">
          {storage.authorizationState === 'CONNECTED' ? (
            <a
              href={`/api/v3/project_storages/${databaseId}/open`}
              target="_blank"
              rel="noreferrer"
            >
              <bdi>{storage.name}</bdi>
            </a>
          ) : (
            <bdi>{storage.name}</bdi>
          )}
        </p>
        <p className="soft small">
          {storage.authorizationState === 'CONNECTED'
            ? say('links.connected')
            : storage.authorizationState === 'ERROR'
              ? say('links.silent')
              : say('links.notConnected')}
        </p>
        {projectFolderMode === 'AUTOMATIC' && <FolderState projectStorage={projectStorage} />}
        {storage.authorizeUrl && (
          <a className="connect" href={connectAddress(storage.authorizeUrl)}>
            {say('links.connect')}
          </a>
        )}
      </div>
    </li>
  );
}

function FolderState({
  projectStorage: { projectFolderState, projectFolderMessage, viewerCanOpenFolder },
}: {
  projectStorage: ProjectStorage;
}) {
  return (
    <>
      <p className="soft small">
        {say(
          projectFolderState === 'READY' && !viewerCanOpenFolder
            ? 'folder.notYours'
            : `folder.${projectFolderState}`,
        )}
      </p>
      {projectFolderMessage && <p className="soft small">{projectFolderMessage}</p>}
    </>
  );
}
