/** The state of the service: versions, its parts, the work that waits, and the last backup. */
import { useQuery } from '@tanstack/react-query';
import { moorage } from '../service';
import { Failure, Loading } from '../shell/failure';
import { Again } from '../shell/again';
import { Icon } from '../shell/icon';
import { Time } from '../shell/time';
import { numeral, say, type WordKey } from '../words';
import { duration } from '../words/formats';
import { Frame } from './frame';
import { SystemStateDocument, type SystemStateQuery } from './generated/documents';

type State = SystemStateQuery['systemState'];

const parts: { readonly [name: string]: WordKey } = {
  'blob store': 'part.blobStore',
  'direct upload': 'part.directUpload',
  scanner: 'part.scanner',
  'e-mail': 'part.mail',
  'OpenID provider': 'part.openid',
  storages: 'admin.storages',
};
const queues: { readonly [name: string]: WordKey } = {
  finalization: 'queue.finalization',
  removal: 'queue.removal',
  new_scan: 'queue.new_scan',
  old_scan: 'queue.old_scan',
  webhook_delivery: 'queue.webhook_delivery',
  avatar_download: 'queue.avatar_download',
  preview: 'queue.preview',
  mail: 'queue.mail',
  folder_sync: 'queue.folder_sync',
  project_folder: 'queue.project_folder',
  event_dispatch: 'queue.event_dispatch',
};
/** The service counts no further. */
const MAX_WAITING = 10_000;

/** A later service can have more parts and queues. */
const nameIn = (words: { readonly [name: string]: WordKey }, name: string): string => {
  const key = words[name];
  return key ? say(key) : name;
};

export function System() {
  const query = useQuery({
    queryKey: ['administration', 'system'],
    queryFn: async ({ signal }) =>
      (await moorage.query(SystemStateDocument, {}, { signal })).systemState,
  });
  const { data, isPending, isError, isFetching, error, dataUpdatedAt, refetch } = query;
  return (
    <Frame
      title={say('system.title')}
      facts={<span>{say('system.says')}</span>}
      actions={
        <Again label={say('system.again')} isAsking={isFetching} onAgain={() => void refetch()} />
      }
    >
      {isPending ? (
        <Loading />
      ) : isError ? (
        <Failure error={error} again={() => void refetch()} />
      ) : (
        <>
          <p className="small soft" role="status">
            {say('health.checkedAt')} <Time of={new Date(dataUpdatedAt).toISOString()} />
          </p>
          <div className="form-2">
            <Versions state={data} />
            <Parts checks={data.checks} />
          </div>
          <Queues queues={data.queues} />
        </>
      )}
    </Frame>
  );
}

function Versions({ state }: { state: State }) {
  return (
    <section className="panel" aria-labelledby="versions">
      <h2 id="versions">{say('system.version')}</h2>
      <dl className="pairs">
        <dt>Moorage</dt>
        <dd>{state.version}</dd>
        <dt>Node.js</dt>
        <dd>{state.nodeVersion}</dd>
        <dt>{say('system.database')}</dt>
        <dd>{state.database}</dd>
        <dt>{say('system.pendingUploads')}</dt>
        <dd>{numeral(state.pendingUploads)}</dd>
        <dt>{say('system.lastBackup')}</dt>
        <dd>
          {state.lastBackupAt ? (
            <Time of={state.lastBackupAt} />
          ) : (
            <>
              {say('system.noBackup')} <code dir="ltr">moorage backup-done</code>
            </>
          )}
        </dd>
      </dl>
    </section>
  );
}

function Parts({ checks }: { checks: State['checks'] }) {
  return (
    <section className="panel" aria-labelledby="parts">
      <h2 id="parts">{say('system.checks')}</h2>
      <ul className="checks">
        {checks.map(({ name, isDone, detail }) => (
          <li key={name} className={isDone ? 'good' : ''}>
            <Icon name={isDone ? 'check' : 'warn'} />
            <div>
              <b>
                {nameIn(parts, name)}: {say(isDone ? 'system.done' : 'system.toDo')}
              </b>
              {/* The service writes it in English. */}
              <span lang="en" dir="auto">
                {detail}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Queues({ queues: rows }: { queues: State['queues'] }) {
  return (
    <section className="panel" aria-labelledby="queues">
      <h2 id="queues">{say('system.queues')}</h2>
      <ul className="access">
        {rows.map((queue) => (
          <li key={queue.name}>
            <span>{nameIn(queues, queue.name)}</span>
            <span className={queue.waiting === 0 ? 'soft' : ''}>{waitingIn(queue)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function waitingIn({ waiting, oldestSeconds }: State['queues'][number]): string {
  if (waiting === 0) return say('system.nothingWaits');
  return say(waiting >= MAX_WAITING ? 'system.waitingMany' : 'system.waiting', {
    count: waiting,
    age: duration(oldestSeconds),
  });
}
