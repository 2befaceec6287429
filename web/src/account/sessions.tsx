/** The browsers in which the person is signed in. */
import { useState } from 'react';
import { EndSessionDocument, SessionsDocument, type SessionsQuery } from '../generated/documents';
import { Paged, PAGE, usePaged } from '../find/paged';
import { allPages, answers, moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { tell } from '../shell/messages';
import { Time } from '../shell/time';
import { say } from '../words';
import { End, Panel, Setting } from './panel';

const key = ['account', 'sessions'] as const;
type Session = SessionsQuery['viewer']['sessions']['nodes'][number];

const nameOf = ({ browser, system }: Session): string =>
  browser && system
    ? say('account.browserOn', { browser, system })
    : (browser ?? system ?? say('account.unknownBrowser'));

const load = async (first: number, after: string | undefined, signal?: AbortSignal) =>
  (await moorage.query(SessionsDocument, { first, after }, { signal })).viewer.sessions;

async function endOthers(): Promise<void> {
  const all = await allPages((after) => load(200, after));
  for (const { id, current } of all) if (!current) await moorage.mutate(EndSessionDocument, { id });
}

export function Sessions() {
  const list = usePaged(key, (after, signal) => load(PAGE, after, signal));
  const others = list.rows.filter(({ current }) => !current);
  const [isEnding, setEnding] = useState(false);
  const again = () => answers.invalidateQueries({ queryKey: key });
  async function end(): Promise<void> {
    if (isEnding) return;
    setEnding(true);
    await endOthers().then(
      () => tell(say('account.othersEnded')),
      (error: unknown) => tell(reasonOf(error)),
    );
    await again();
    setEnding(false);
  }
  return (
    <Panel
      id="sessions"
      title={say('account.sessions')}
      action={
        others.length > 0 && (
          <button
            type="button"
            className="button danger"
            aria-disabled={isEnding}
            onClick={() => void end()}
          >
            {say('account.endOthers')}
          </button>
        )
      }
    >
      <p className="small soft">{say('account.sessionsWhy')}</p>
      <Paged list={list} empty={<p className="soft">{say('account.noSessions')}</p>}>
        {(rows) => (
          <ul className="settings">
            {rows.map((session) => (
              <Setting key={session.id} name={nameOf(session)} facts={<Facts session={session} />}>
                {session.current ? (
                  <span className="state good">{say('account.thisOne')}</span>
                ) : (
                  <End
                    name={say('account.endSessionOf', { name: nameOf(session) })}
                    label={say('account.end')}
                    title={say('account.endSessionOf', { name: nameOf(session) })}
                    why={say('account.endSessionWhy')}
                    done={say('account.sessionEnded')}
                    run={async () => {
                      await moorage.mutate(EndSessionDocument, { id: session.id });
                      await again();
                    }}
                  />
                )}
              </Setting>
            ))}
          </ul>
        )}
      </Paged>
    </Panel>
  );
}

function Facts({ session: { network, lastUsedAt, createdAt } }: { session: Session }) {
  return (
    <>
      {network && (
        <>
          <bdi>{network}</bdi>
          {', '}
        </>
      )}
      {say(lastUsedAt ? 'account.lastUsed' : 'account.since')} <Time of={lastUsedAt ?? createdAt} />
    </>
  );
}
