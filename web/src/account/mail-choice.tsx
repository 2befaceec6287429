/** When notifications come by e-mail. */
import { useState } from 'react';
import {
  SetMailPreferenceDocument,
  type AccountQuery,
  type MailPreference,
} from '../generated/documents';
import { askAgain, moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { tell } from '../shell/messages';
import { say, type WordKey } from '../words';

const choices: { readonly [preference in MailPreference]: WordKey } = {
  IMMEDIATE: 'account.mailImmediate',
  DAILY: 'account.mailDaily',
  NEVER: 'account.mailNever',
};

type Person = Pick<AccountQuery['viewer'], 'email' | 'mailPreference'>;

export function MailChoice({ person: { email, mailPreference } }: { person: Person }) {
  const [sending, setSending] = useState(false);
  // The service sends no e-mails.
  if (!mailPreference) return null;
  async function choose(preference: MailPreference): Promise<void> {
    if (sending) return;
    setSending(true);
    try {
      await moorage.mutate(SetMailPreferenceDocument, { preference });
      await askAgain(['account', 'person']);
      tell(say('account.mailsSaved'));
    } catch (error) {
      tell(reasonOf(error));
    } finally {
      setSending(false);
    }
  }
  return (
    <div className="setting">
      <div>
        <b id="mails">{say('account.mails')}</b>
        <span className="small soft">
          {say(email ? 'account.mailsHint' : 'account.mailsNoAddress')}
        </span>
      </div>
      <div role="group" aria-labelledby="mails" className="languages">
        {Object.entries(choices).map(([preference, label]) => (
          <button
            key={preference}
            type="button"
            aria-pressed={preference === mailPreference}
            onClick={() => void choose(preference as MailPreference)}
          >
            {say(label)}
          </button>
        ))}
      </div>
    </div>
  );
}
