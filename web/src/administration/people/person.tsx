/** One person: name, password, lock, projects, and everything that acts in their name. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askAgain, moorage } from '../../service';
import { Failure, Loading, Missing } from '../../shell/failure';
import { Icon } from '../../shell/icon';
import { tell } from '../../shell/messages';
import { say } from '../../words';
import { useQuestion } from '../confirm';
import { Field, Form, textsOf } from '../form';
import { Frame } from '../frame';
import {
  ErasePersonDocument,
  LockPersonDocument,
  PersonDocument,
  SetPersonPasswordDocument,
  UnlockPersonDocument,
  UpdatePersonDocument,
  type PersonSettingsFragment,
} from '../generated/documents';
import { Access, endAccess } from './access';
import { MembershipsOfPerson } from './memberships';
import { PasswordLink } from './password-link';
import { PersonState } from './people';

const above = { to: '/administration/people', label: 'people.title' } as const;

export function PersonPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['administration', 'person', id, 'settings'],
    queryFn: async ({ signal }) => (await moorage.query(PersonDocument, { id }, { signal })).user,
  });
  const { ask, asked } = useQuestion();
  if (query.isPending) return <Loading />;
  if (query.isError)
    return <Failure whole error={query.error} again={() => void query.refetch()} />;
  const person = query.data;
  if (!person) return <Missing />;
  const refresh = async (): Promise<void> => {
    await askAgain(['administration', 'person', id]);
    void askAgain(['administration', 'people']);
  };
  const input = { id: person.id };
  const lock = (): void =>
    ask({
      title: say('people.lockTitle', { name: person.name }),
      text: say('people.lockSays'),
      act: say('people.lock'),
      run: async () => {
        await moorage.mutate(LockPersonDocument, { input });
        tell(say('people.locked', { name: person.name }));
        await refresh();
      },
    });
  const unlock = (): void =>
    ask({
      title: say('people.unlockTitle', { name: person.name }),
      text: say('people.unlockSays'),
      act: say('people.unlock'),
      run: async () => {
        await moorage.mutate(UnlockPersonDocument, { input });
        tell(say('people.unlocked', { name: person.name }));
        await refresh();
      },
    });
  const endAll = (): void =>
    ask({
      title: say('access.endAllTitle', { name: person.name }),
      text: say('access.endAllSays'),
      act: say('access.endAll'),
      run: async () => {
        const ended = await endAccess(person.id);
        tell(say('access.ended', { count: ended }));
        await refresh();
      },
    });
  const erase = (): void =>
    ask({
      title: say('people.eraseTitle', { name: person.name }),
      text: say('people.eraseSays'),
      act: say('people.erase'),
      typed: { label: say('people.typeLogin', { login: person.login }), text: person.login },
      run: async () => {
        await moorage.mutate(ErasePersonDocument, { input });
        tell(say('people.erased'));
        await refresh();
      },
    });
  if (person.erasedAt !== null)
    return (
      <Frame title={say('people.deletedUser')} above={above}>
        <p className="note">{say('people.erasedNow')}</p>
      </Frame>
    );
  return (
    <Frame
      title={person.name}
      above={above}
      facts={
        <>
          <bdi>{person.login}</bdi>
          <span className="chip">
            <PersonState admin={person.admin} status={person.status} />
          </span>
        </>
      }
      actions={
        <>
          <button type="button" className="button" onClick={endAll}>
            <Icon name="stop" />
            {say('access.endAll')}
          </button>
          <button
            type="button"
            className="button"
            onClick={person.status === 'LOCKED' ? unlock : lock}
          >
            <Icon name="lock" />
            {say(person.status === 'LOCKED' ? 'people.unlock' : 'people.lock')}
          </button>
          <button type="button" className="button" onClick={erase}>
            <Icon name="bin" />
            {say('people.erase')}
          </button>
        </>
      }
    >
      {person.status === 'LOCKED' && <p className="note bad">{say('people.lockedNow')}</p>}
      <Access id={id} refresh={refresh} />
      <MembershipsOfPerson id={id} person={person} />
      <div className="form-2">
        <Settings
          person={person}
          refresh={refresh}
          ask={async () => (await query.refetch({ throwOnError: true })).data?.updatedAt}
        />
        <Password person={person} refresh={refresh} />
      </div>
      {asked}
    </Frame>
  );
}

interface Part {
  person: PersonSettingsFragment;
  refresh: () => Promise<void>;
}

function Settings({ person, refresh, ask }: Part & { ask: () => Promise<string | undefined> }) {
  return (
    <section className="panel">
      <h2>{say('people.person')}</h2>
      <Form
        label={say('people.person')}
        submit={say('admin.save')}
        version={person.updatedAt}
        ask={ask}
        onSubmit={async (form) => {
          const { firstName, lastName, email } = textsOf(form);
          const input = {
            id: person.id,
            firstName,
            lastName,
            email: email || null,
            admin: form.has('admin'),
          };
          const { updateUser } = await moorage.mutate(UpdatePersonDocument, { input });
          tell(say('admin.saved'));
          void refresh();
          return updateUser.user.updatedAt;
        }}
      >
        <Field name="firstName" label={say('people.firstName')} defaultValue={person.firstName} />
        <Field name="lastName" label={say('people.lastName')} defaultValue={person.lastName} />
        <Field
          name="email"
          type="email"
          label={say('people.email')}
          defaultValue={person.email ?? ''}
        />
        <label className="row">
          <input type="checkbox" name="admin" defaultChecked={person.admin} />
          {say('people.mayAdminister')}
        </label>
      </Form>
    </section>
  );
}

function Password({ person, refresh }: Part) {
  const [link, setLink] = useState<{ address: string; until: string | null }>();
  return (
    <section className="panel">
      <h2>{say('people.newPassword')}</h2>
      <Form
        label={say('people.newPassword')}
        submit={say('people.setPassword')}
        onSubmit={async (form) => {
          const { password } = textsOf(form);
          const input = { id: person.id, password: password || null };
          const { passwordLink, passwordLinkExpiresAt } = (
            await moorage.mutate(SetPersonPasswordDocument, { input })
          ).setUserPassword;
          setLink(
            passwordLink === null
              ? undefined
              : { address: passwordLink, until: passwordLinkExpiresAt },
          );
          tell(say(passwordLink === null ? 'people.passwordSet' : 'people.linkMade'));
          void refresh();
          return undefined;
        }}
      >
        <Field
          name="password"
          type="password"
          autoComplete="new-password"
          label={say('session.password')}
          hint={say('people.passwordHint')}
        />
        {link && <PasswordLink link={link.address} until={link.until} />}
      </Form>
    </section>
  );
}
