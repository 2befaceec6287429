/** E-mails that wait to be sent, and what people want to get. */
import { registerEnumType } from 'type-graphql';
import { Record } from './record.js';

export enum MailPreference {
  IMMEDIATE = 'immediate',
  DAILY = 'daily',
  NEVER = 'never',
}
registerEnumType(MailPreference, {
  name: 'MailPreference',
  description: 'When notifications come by e-mail.',
  valuesConfig: {
    IMMEDIATE: {
      description: 'After `MAIL_DELAY_SECONDS`, so that one e-mail tells what happened meanwhile.',
    },
    DAILY: { description: 'Once a day, at 6:00 UTC.' },
    NEVER: { description: 'Not at all.' },
  },
});

export type MailKind = 'notifications' | 'invitation' | 'password' | 'alert';

/**
 * There is at most one of a person, a kind and a subject. The text is written when it is sent, from
 * what is true then.
 */
export class Mail extends Record {
  static override tableName = 'mails';

  declare userId: number;
  declare kind: MailKind;
  /** What an alert is about, see `Alert`, or `quarantine:` and the id of an attachment. Empty for other kinds. */
  declare subject: string;
  /** The time of the first thing that it tells. */
  declare since: string;
  /** The same of what came while it was being sent. Null: nothing. */
  declare renewedFrom: string | null;
  declare dueAt: string;
  declare attempts: number;
  declare leaseToken: string | null;
}
