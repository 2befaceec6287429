/** A new program that signs in with this service. Its secret is shown once. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { askAgain, moorage } from '../service';
import { say } from '../words';
import { Copied, Secret } from './copied';
import { Field, Form, textsOf } from './form';
import { Frame } from './frame';
import { CreateOAuthApplicationDocument } from './generated/documents';

const list = { to: '/administration/applications', label: 'applications.title' } as const;

export function NewApplication() {
  const [made, setMade] = useState<{ clientId: string; secret: string | null }>();
  return (
    <Frame title={say('applications.new')} above={list}>
      <div className="panel narrow">
        {made ? (
          <div className="admin-form">
            <p role="status">{say('applications.made')}</p>
            <Copied label={say('applications.clientId')} text={made.clientId} />
            {made.secret !== null && (
              <Secret label={say('applications.secret')} text={made.secret} />
            )}
            <div className="row">
              <Link className="button main" to={list.to}>
                {say('webhooks.copied')}
              </Link>
            </div>
          </div>
        ) : (
          <Form
            label={say('applications.new')}
            submit={say('new.create')}
            onSubmit={async (form) => {
              const { name = '', redirectUris = '' } = textsOf(form);
              const input = {
                name,
                redirectUris: redirectUris.split(/\s+/).filter(Boolean),
                confidential: form.has('confidential'),
              };
              const { clientSecret, oauthApplication } = (
                await moorage.mutate(CreateOAuthApplicationDocument, { input })
              ).createOAuthApplication;
              setMade({ clientId: oauthApplication.clientId, secret: clientSecret });
              void askAgain(['administration', 'applications']);
              return undefined;
            }}
          >
            <Field
              name="name"
              label={say('table.name')}
              hint={say('applications.nameHint')}
              autoFocus
            />
            <Field
              name="redirectUris"
              dir="ltr"
              label={say('applications.redirects')}
              hint={say('applications.redirectsHint')}
            />
            <label className="row">
              <input type="checkbox" name="confidential" defaultChecked />
              {say('applications.confidential')}
            </label>
          </Form>
        )}
      </div>
    </Frame>
  );
}
