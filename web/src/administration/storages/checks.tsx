/** The list of all checks of a storage, with what each found. */
import { Again } from '../../shell/again';
import { Icon, type IconName } from '../../shell/icon';
import { Failure, Loading } from '../../shell/failure';
import { Time } from '../../shell/time';
import { say, type WordKey } from '../../words';
import { FailingSince } from './failing-since';
import { useHealth, type Check } from './health';

const names: { [check: string]: WordKey } = {
  host: 'check.host',
  tls: 'check.tls',
  clock: 'check.clock',
  version: 'check.version',
  companion_app: 'check.companionApp',
  secrets: 'check.secrets',
  client: 'check.client',
  client_secret: 'check.clientSecret',
  credentials: 'check.credentials',
  tenant: 'check.tenant',
  drive: 'check.drive',
  scope: 'check.scope',
  openid: 'check.openid',
  connection: 'check.connection',
  application_password: 'check.applicationPassword',
  folder_access: 'check.folderAccess',
  team_folder_app: 'check.teamFolderApp',
  team_folder: 'check.teamFolder',
  folders_linked: 'check.foldersLinked',
  folders_exist: 'check.foldersExist',
  folder_people: 'check.folderPeople',
  folders_unexpected: 'check.foldersUnexpected',
  folder_create: 'check.folderCreate',
  folder_delete: 'check.folderDelete',
};
/** A later service can have more checks. */
export const nameOfCheck = (check: string): string => {
  const key = names[check];
  return key ? say(key) : check;
};

const signs: {
  [status in Check['status']]: { icon: IconName; className: string; word: WordKey };
} = {
  OK: { icon: 'check', className: 'good', word: 'health.OK' },
  FAILED: { icon: 'stop', className: 'bad', word: 'health.FAILED' },
  SKIPPED: { icon: 'minus', className: '', word: 'health.SKIPPED' },
};

export function Checks({ id }: { id: string }) {
  const { data, isPending, isFetching, error, refetch } = useHealth(id);
  return (
    <section className="zone" aria-labelledby="health">
      <div className="head">
        <h2 id="health">{say('health.title')}</h2>
        <Again label={say('health.again')} isAsking={isFetching} onAgain={() => void refetch()} />
      </div>
      {isPending ? (
        <Loading />
      ) : error || !data ? (
        <Failure error={error} again={() => void refetch()} />
      ) : (
        <>
          <p className="small soft" role="status">
            {say('health.checkedAt')} <Time of={data.checkedAt} />
          </p>
          <FailingSince health={data} />
          <ul className="checks">
            {data.checks.map(({ check, status, hint }) => {
              const { icon, className, word } = signs[status];
              return (
                <li key={check} className={className}>
                  <Icon name={icon} />
                  <div>
                    <b>
                      {nameOfCheck(check)}
                      <span className="unseen">: {say(word)}</span>
                    </b>
                    {/* The service writes it in English. */}
                    <span lang="en" dir="auto">
                      {hint}
                    </span>
                  </div>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </section>
  );
}
