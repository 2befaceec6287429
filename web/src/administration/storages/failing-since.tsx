/** Since when a storage does not work, and when it last did. */
import { Time } from '../../shell/time';
import { say } from '../../words';
import type { Health } from './health';

export function FailingSince({ health: { failingSince, workedAt } }: { health: Health }) {
  if (!failingSince) return null;
  return (
    <p className="small soft">
      {say('health.failingSince')} <Time of={failingSince} />
      {'. '}
      {workedAt ? (
        <>
          {say('health.workedAt')} <Time of={workedAt} />.
        </>
      ) : (
        say('health.neverWorked')
      )}
    </p>
  );
}
