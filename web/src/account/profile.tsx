/** Name, picture, password and language of the person. */
import { useId, useState } from 'react';
import { RemovePictureDocument, type AccountQuery } from '../generated/documents';
import { answers, moorage } from '../service';
import { ChangePassword } from '../shell/change-password';
import { reasonOf } from '../shell/failure';
import { Languages } from '../shell/languages';
import { tell } from '../shell/messages';
import { say } from '../words';
import { MailChoice } from './mail-choice';
import { Panel } from './panel';
import { sendPicture } from './send-picture';

type Person = AccountQuery['viewer'];

export function Profile({ person }: { person: Person }) {
  const [changing, setChanging] = useState(false);
  return (
    <Panel id="profile" title={say('account.profile')}>
      <Picture person={person} />
      <dl className="pairs">
        <dt>{say('account.name')}</dt>
        <dd>
          <bdi>{person.name}</bdi>
        </dd>
        <dt>{say('account.login')}</dt>
        <dd>{person.login}</dd>
        <dt>{say('account.email')}</dt>
        <dd>{person.email ?? say('account.noEmail')}</dd>
      </dl>
      <p className="small soft">{say('account.nameHint')}</p>
      <div className="setting">
        <div>
          <b>{say('account.password')}</b>
          {!person.viewerCanChangePassword && (
            <span className="small soft">{say('account.noPassword')}</span>
          )}
        </div>
        {person.viewerCanChangePassword && (
          <button type="button" className="button" onClick={() => setChanging(true)}>
            {say('password.title')}
          </button>
        )}
      </div>
      <div className="setting">
        <b>{say('app.language')}</b>
        <Languages />
      </div>
      <MailChoice person={person} />
      {changing && <ChangePassword login={person.login} onClose={() => setChanging(false)} />}
    </Panel>
  );
}

function Picture({ person }: { person: Person }) {
  const [sending, setSending] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const hint = useId();
  async function change(run: () => Promise<unknown>, done: string): Promise<void> {
    if (sending) return;
    setSending(true);
    setWrong(undefined);
    try {
      await run();
      await Promise.all(
        [['account', 'person'], ['me']].map((queryKey) => answers.invalidateQueries({ queryKey })),
      );
      tell(done);
    } catch (error) {
      setWrong(reasonOf(error));
    } finally {
      setSending(false);
    }
  }
  const { avatarUrl } = person;
  return (
    <div className="own-picture">
      <span className="face" aria-hidden="true">
        {avatarUrl ? (
          <img src={person.avatarThumbnail?.href ?? avatarUrl} alt="" />
        ) : (
          person.name.slice(0, 1)
        )}
      </span>
      <label className="button">
        {say(sending ? 'account.sending' : 'account.changePicture')}
        <input
          type="file"
          className="unseen"
          accept="image/png,image/jpeg"
          aria-describedby={hint}
          disabled={sending}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (file)
              void change(() => sendPicture(person.id, file), say('account.pictureChanged'));
          }}
        />
      </label>
      {avatarUrl && (
        <button
          type="button"
          className="button quiet"
          onClick={() =>
            void change(
              () => moorage.mutate(RemovePictureDocument, { userId: person.id }),
              say('account.pictureRemoved'),
            )
          }
        >
          {say('account.removePicture')}
        </button>
      )}
      <p id={hint} className="small soft">
        {say('account.pictureHint')}
      </p>
      {wrong && (
        <p className="state bad" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
