/** The applications that the person lets act. */
import { AuthorizationsDocument, EndAuthorizationDocument } from '../generated/documents';
import { Paged, PAGE, usePaged } from '../find/paged';
import { answers, moorage } from '../service';
import { Time } from '../shell/time';
import { say } from '../words';
import { End, Panel, Setting } from './panel';

const key = ['account', 'applications'] as const;

export function Applications() {
  const list = usePaged(key, async (after, signal) => {
    const variables = { first: PAGE, after };
    const { viewer } = await moorage.query(AuthorizationsDocument, variables, { signal });
    return viewer.authorizations;
  });
  return (
    <Panel id="applications" title={say('account.applications')}>
      <p className="small soft">{say('account.applicationsWhy')}</p>
      <Paged list={list} empty={<p className="soft">{say('account.noApplications')}</p>}>
        {(rows) => (
          <ul className="settings">
            {rows.map(({ id, applicationName: name, createdAt, lastUsedAt }) => (
              <Setting
                key={id}
                name={name}
                facts={
                  <>
                    {say('account.since')} <Time of={createdAt} />
                    {lastUsedAt && (
                      <>
                        {', '}
                        {say('account.lastUsed')} <Time of={lastUsedAt} />
                      </>
                    )}
                  </>
                }
              >
                <End
                  name={say('account.endApplicationOf', { name })}
                  label={say('account.withdraw')}
                  title={say('account.endApplicationOf', { name })}
                  why={say('account.endApplicationWhy', { name })}
                  done={say('account.applicationEnded', { name })}
                  run={async () => {
                    await moorage.mutate(EndAuthorizationDocument, { id });
                    await answers.invalidateQueries({ queryKey: key });
                  }}
                />
              </Setting>
            ))}
          </ul>
        )}
      </Paged>
    </Panel>
  );
}
