/** The address at which a person sets a password. The service tells it once. */
import { say } from '../../words';
import { exactly } from '../../words/formats';
import { Copied } from '../copied';

export function PasswordLink({ link, until }: { link: string; until: string | null }) {
  return (
    <>
      <Copied label={say('people.link')} text={link} />
      <p className="note">
        {say('people.linkOnce', { time: until === null ? '' : exactly(until) })}
      </p>
    </>
  );
}
