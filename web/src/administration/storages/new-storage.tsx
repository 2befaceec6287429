/** The first steps of a new storage: its type, its address, and our id and secret. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { moorage } from '../../service';
import { Icon } from '../../shell/icon';
import { say } from '../../words';
import { Copied, Secret } from '../copied';
import { Field, Form, textsOf } from '../form';
import { Frame } from '../frame';
import { CreateStorageDocument, type CreateStorageMutation } from '../generated/documents';
import { AddressFields } from './address-fields';
import { Step } from './step';

const types = ['SELF_HOSTED_FILE_SERVER', 'CLOUD_DRIVE'] as const;
type StorageKind = (typeof types)[number];

/** It says which type was chosen, so that a page that is loaded again knows. */
const chosenType = (): StorageKind | undefined => {
  const wanted = new URLSearchParams(location.search).get('type');
  return types.find((type) => type === wanted);
};

type Made = CreateStorageMutation['createStorage'];

export function NewStorage() {
  const [type, setType] = useState(chosenType);
  const [made, setMade] = useState<Made>();
  const step = made ? 3 : type ? 2 : 1;
  function choose(next: StorageKind | undefined): void {
    setType(next);
    const address = next ? `?type=${next}` : '';
    history.replaceState(history.state, '', location.pathname + address);
  }
  return (
    <Frame
      title={say('storages.new')}
      above={{ to: '/administration/storages', label: 'admin.storages' }}
      facts={<span>{say('step.of', { step: String(step), steps: '5' })}</span>}
    >
      <ol className="steps">
        <Step number={1} at={step} title={say('step.type')}>
          {step === 1 ? (
            <div className="kinds">
              {types.map((one) => (
                <button key={one} type="button" className="panel" onClick={() => choose(one)}>
                  <Icon name={one === 'CLOUD_DRIVE' ? 'cloud' : 'server'} />
                  <b>{say(`storageType.${one}`)}</b>
                  <span className="small soft">{say(`storageType.about.${one}`)}</span>
                </button>
              ))}
            </div>
          ) : (
            <div className="row">
              <span className="small soft">{type && say(`storageType.${type}`)}</span>
              {!made && (
                <button type="button" className="button quiet" onClick={() => choose(undefined)}>
                  {say('step.change')}
                </button>
              )}
            </div>
          )}
        </Step>
        <Step number={2} at={step} title={say('step.address')}>
          {type && step === 2 && (
            <div className="panel">
              <Form
                label={say('step.address')}
                submit={say('storages.create')}
                onSubmit={async (form) => {
                  const input = { type, ...textsOf(form) };
                  setMade((await moorage.mutate(CreateStorageDocument, { input })).createStorage);
                  return undefined;
                }}
              >
                <Field
                  name="name"
                  label={say('storages.name')}
                  hint={say('storages.nameHint')}
                  autoFocus
                />
                <AddressFields type={type} />
              </Form>
            </div>
          )}
          {made && <bdi className="small soft">{made.storage.name}</bdi>}
        </Step>
        <Step number={3} at={step} title={say('step.exchange')}>
          {made && <OurSide made={made} />}
        </Step>
        <Step number={4} at={step} title={say('step.connect')} />
        <Step number={5} at={step} title={say('step.projects')} />
      </ol>
    </Frame>
  );
}

function OurSide({ made: { storage, clientSecret } }: { made: Made }) {
  const navigate = useNavigate();
  const goOn = (): void =>
    void navigate({
      to: '/administration/storages/$id',
      params: { id: String(storage.databaseId) },
    });
  return (
    <div className="panel admin-form">
      <p role="status">
        {say(clientSecret ? `exchange.copyOurs.${storage.type}` : 'exchange.noneOfOurs', {
          name: storage.name,
        })}
      </p>
      {storage.oauthApplication && (
        <Copied label={say('exchange.ourId')} text={storage.oauthApplication.clientId} />
      )}
      {clientSecret && <Secret label={say('exchange.ourSecret')} text={clientSecret} />}
      <div className="row">
        <button type="button" className="button main" onClick={goOn}>
          {say(clientSecret ? 'exchange.copiedBoth' : 'step.goOn')}
        </button>
      </div>
    </div>
  );
}
