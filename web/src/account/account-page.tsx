/** The account of the person who is signed in: who they are, and all that acts in their name. */
import { useQuery } from '@tanstack/react-query';
import '../styles/account.css';
import { AccountDocument } from '../generated/documents';
import { moorage } from '../service';
import { Failure, Loading } from '../shell/failure';
import { Icon } from '../shell/icon';
import { Heading } from '../shell/page';
import { useSignOut } from '../shell/sign-out';
import { say } from '../words';
import { ApiKeys } from './api-keys';
import { Applications } from './applications';
import { Connections } from './connections';
import { Profile } from './profile';
import { Sessions } from './sessions';

const parts = ['profile', 'connections', 'keys', 'sessions', 'applications'] as const;

export default function AccountPage() {
  const query = useQuery({
    queryKey: ['account', 'person'],
    queryFn: ({ signal }) => moorage.query(AccountDocument, {}, { signal }),
  });
  const { leave, question } = useSignOut();
  if (query.isPending) return <Loading />;
  if (query.isError)
    return <Failure whole error={query.error} again={() => void query.refetch()} />;
  const { viewer } = query.data;
  return (
    <>
      <Heading
        title={say('account.title')}
        facts={
          <span>
            <bdi>{viewer.name}</bdi>
            {viewer.email && <>, {viewer.email}</>}
          </span>
        }
        actions={
          <button type="button" className="button" onClick={leave}>
            <Icon name="out" />
            {say('app.signOut')}
          </button>
        }
      />
      {question}
      <div className="wrap account">
        <nav className="rail" aria-label={say('account.parts')}>
          <ul>
            {parts.map((part) => (
              <li key={part}>
                <a href={`#${part}`}>{say(`account.${part}`)}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="panels">
          <Profile person={viewer} />
          <Connections />
          <ApiKeys />
          <Sessions />
          <Applications />
        </div>
      </div>
    </>
  );
}
