/** A new person, and the link with which they set a password. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { askAgain, moorage } from '../../service';
import { say } from '../../words';
import { Field, Form, textsOf } from '../form';
import { Frame } from '../frame';
import { CreatePersonDocument, type CreatePersonMutation } from '../generated/documents';
import { PasswordLink } from './password-link';

type Made = CreatePersonMutation['createUser'];

export function NewPerson() {
  const [made, setMade] = useState<Made>();
  return (
    <Frame
      title={say('people.new')}
      above={{ to: '/administration/people', label: 'people.title' }}
    >
      <div className="panel narrow">
        {made ? (
          <div className="admin-form">
            <p role="status">{say('people.made', { name: made.user.name })}</p>
            {made.invited && <p>{say('people.invited', { address: made.user.email ?? '' })}</p>}
            {made.passwordLink && (
              <PasswordLink link={made.passwordLink} until={made.passwordLinkExpiresAt} />
            )}
            <div className="row">
              <Link
                className="button main"
                to="/administration/people/$id"
                params={{ id: String(made.user.databaseId) }}
              >
                {say('people.toProjects')}
              </Link>
            </div>
          </div>
        ) : (
          <Form
            label={say('people.new')}
            submit={say('people.create')}
            onSubmit={async (form) => {
              const { login = '', firstName = '', lastName, email, password } = textsOf(form);
              const input = {
                login,
                firstName,
                lastName: lastName || null,
                email: email || null,
                password: password || null,
                admin: form.has('admin'),
              };
              setMade((await moorage.mutate(CreatePersonDocument, { input })).createUser);
              void askAgain(['administration', 'people']);
              return undefined;
            }}
          >
            <div className="form-2">
              <Field name="firstName" label={say('people.firstName')} autoFocus />
              <Field name="lastName" label={say('people.lastName')} />
              <Field name="login" label={say('session.login')} hint={say('people.loginHint')} />
              <Field name="email" type="email" label={say('people.email')} />
            </div>
            <Field
              name="password"
              type="password"
              autoComplete="new-password"
              label={say('session.password')}
              hint={say('people.passwordHint')}
            />
            <label className="row">
              <input type="checkbox" name="admin" />
              {say('people.mayAdminister')}
            </label>
          </Form>
        )}
      </div>
    </Frame>
  );
}
