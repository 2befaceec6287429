/** How a storage stands, in a few words. */
import { Icon } from '../../shell/icon';
import { reasonOf } from '../../shell/failure';
import { say } from '../../words';
import { nameOfCheck } from './checks';
import { FailingSince } from './failing-since';
import { useHealth } from './health';

export function StorageState({ id, configured }: { id: string; configured: boolean }) {
  const { data, isPending, error } = useHealth(id);
  if (isPending)
    return (
      <span className="state">
        <Icon name="again" turning />
        {say('health.checking')}
      </span>
    );
  const failed = data?.checks.find(({ status }) => status === 'FAILED');
  if (!configured)
    return (
      <span className="state wait">
        <Icon name="pencil" />
        {say('health.beingSetUp')}
      </span>
    );
  if (error || failed)
    return (
      <div className="dead">
        <span className="state bad">
          <Icon name="stop" />
          <span>
            {failed ? say('health.toDo', { check: nameOfCheck(failed.check) }) : reasonOf(error)}
          </span>
        </span>
        {data && <FailingSince health={data} />}
      </div>
    );
  return (
    <span className="state good">
      <Icon name="check" />
      {say('health.fine')}
    </span>
  );
}
