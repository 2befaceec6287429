/** A session that has ended, told over the page. The page stays, and goes on where it was. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { answers, isSignedOut, moorage, shownPerson, signInAddress } from '../service';
import { isOver, useUploads } from '../uploads/list';
import { say } from '../words';
import { Dialog } from './dialog';
import { Icon } from './icon';
import { me } from './me';
import { askToSignIn, putOff, sessionBack, useSession } from './session-over';

/** What `/login` answers to the pages of the service. */
interface SignIn {
  /** The `databaseId` of who is signed in. */
  person: number | null;
  /** The people of the demo. */
  people?: { login: string; firstName: string }[];
  /** The name of the OpenID provider. */
  provider?: string | null;
  /** Whether the service sends links to people who have lost their password. */
  mailsPasswords?: boolean;
}

async function ask(path: string, form?: { [name: string]: string }): Promise<Response> {
  return fetch(path, {
    headers: { accept: 'application/json' },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
}

/** The same person goes on. Somebody else gets a page of their own. */
function goOn(person: number): void {
  if (person !== shownPerson()) return location.reload();
  sessionBack();
  for (const upload of moorage.uploads.list()) if (isSignedOut(upload.error)) upload.retry();
  void answers.invalidateQueries();
}

export function SignedOut() {
  const session = useSession();
  if (session === 'asking') return <SignInDialog />;
  if (session === 'lasts') return null;
  return (
    <div className="signed-out" role="status">
      <p>{say('session.ended')}</p>
      <button type="button" className="button main" onClick={askToSignIn}>
        {say('app.signIn')}
      </button>
    </div>
  );
}

function SignInDialog() {
  const viewer = answers.getQueryData(me.queryKey)?.viewer;
  const waiting = useUploads().filter((one) => !isOver(one) || isSignedOut(one.error)).length;
  const [wrong, setWrong] = useState<string>();
  const [sending, setSending] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const { data } = useQuery({
    queryKey: ['sign-in'],
    queryFn: async (): Promise<SignIn> => (await ask('/login')).json(),
    // The person may have signed in in another window.
    refetchInterval: 5_000,
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (data?.person) goOn(data.person);
  }, [data]);

  async function signIn(path: string, form: { [name: string]: string }): Promise<void> {
    setSending(true);
    setWrong(undefined);
    try {
      const answer = await ask(path, form);
      if (answer.ok) return goOn(((await answer.json()) as { person: number }).person);
      const known = { 422: say('session.wrong'), 429: say('password.tooMany') };
      setWrong(known[answer.status as 422 | 429] ?? say('wrong.other'));
      password.current?.focus();
    } catch {
      setWrong(say('wrong.network'));
    } finally {
      setSending(false);
    }
  }
  return (
    <Dialog label={say('session.title')} className="small" onClose={putOff}>
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          const entered = new FormData(event.currentTarget);
          const text = (name: string): string => String(entered.get(name) ?? '');
          if (!sending) void signIn('/login', { login: text('login'), password: text('password') });
        }}
      >
        <div className="row">
          <h2>{say('session.title')}</h2>
          <button
            type="button"
            className="round push"
            aria-label={say('app.close')}
            onClick={putOff}
          >
            <Icon name="close" />
          </button>
        </div>
        <p className="state good">
          {waiting > 0 ? say('session.waiting', { count: waiting }) : say('session.nothingLost')}
        </p>
        {data?.people?.map(({ login, firstName }) => (
          <button
            key={login}
            type="button"
            className="button"
            onClick={() => void signIn('/login/demo', { login })}
          >
            {say('session.asPerson', { name: firstName })}
          </button>
        ))}
        <label className="field">
          {say('session.login')}
          <input
            name="login"
            defaultValue={viewer?.login}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        </label>
        <label className="field">
          {say('session.password')}
          <input
            ref={password}
            type="password"
            name="password"
            autoComplete="current-password"
            autoFocus
            required
            {...(wrong && { 'aria-invalid': true, 'aria-describedby': 'sign-in-problem' })}
          />
        </label>
        {wrong && (
          <p id="sign-in-problem" className="state bad" role="alert">
            {wrong}
          </p>
        )}
        <div className="row">
          <button className="button main" aria-disabled={sending}>
            {say('app.signIn')}
          </button>
          {data?.provider && (
            <a
              className="button"
              href={signInAddress().replace('/login?', '/login/openid?')}
              target="_blank"
            >
              {say('session.withProvider', { name: data.provider })}
            </a>
          )}
        </div>
        {data?.mailsPasswords && (
          <a href="/password" target="_blank">
            {say('session.forgot')}
          </a>
        )}
      </form>
    </Dialog>
  );
}
