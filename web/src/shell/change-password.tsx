/** The form with which a person changes the own password. */
import { MoorageError } from 'moorage-client';
import { useId, useRef, useState } from 'react';
import { ChangePasswordDocument } from '../generated/documents';
import { moorage } from '../service';
import { say } from '../words';
import { Dialog } from './dialog';
import { reasonOf } from './failure';
import { tell } from './messages';

type Field = 'currentPassword' | 'newPassword' | 'again';

interface Wrong {
  /** Absent: it is not about what was entered. */
  field?: Field;
  text: string;
}

function wrongOf(error: unknown): Wrong {
  const { status, attribute } = error instanceof MoorageError ? error : {};
  if (attribute === 'currentPassword') return { field: attribute, text: say('password.wrong') };
  if (attribute === 'newPassword') return { field: attribute, text: say('password.length') };
  if (status === 429) return { text: say('password.tooMany') };
  if (status === 403) return { text: say('password.notHere') };
  return { text: reasonOf(error) };
}

export function ChangePassword({ login, onClose }: { login: string; onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const problem = useId();
  const hint = useId();
  const [wrong, setWrong] = useState<Wrong>();
  const [sending, setSending] = useState(false);

  function refuse(found: Wrong): void {
    setWrong(found);
    if (found.field)
      form.current?.querySelector<HTMLInputElement>(`[name=${found.field}]`)?.focus();
  }
  async function change(entered: FormData): Promise<void> {
    const textOf = (field: Field): string => String(entered.get(field) ?? '');
    const newPassword = textOf('newPassword');
    const endSessions = entered.has('endSessions');
    if (newPassword !== textOf('again'))
      return refuse({ field: 'again', text: say('password.different') });
    setSending(true);
    setWrong(undefined);
    try {
      const input = { currentPassword: textOf('currentPassword'), newPassword, endSessions };
      await moorage.mutate(ChangePasswordDocument, { input });
      onClose();
      tell(say(endSessions ? 'password.changedAll' : 'password.changed'));
    } catch (error) {
      refuse(wrongOf(error));
    } finally {
      setSending(false);
    }
  }
  const field = (name: Field, label: string, autoComplete: string) => (
    <label className="field">
      {label}
      <input
        type="password"
        name={name}
        autoComplete={autoComplete}
        autoFocus={name === 'currentPassword'}
        required
        {...(wrong?.field === name && { 'aria-invalid': true, 'aria-describedby': problem })}
      />
    </label>
  );
  return (
    <Dialog label={say('password.title')} className="small" onClose={onClose}>
      <form
        ref={form}
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (!sending) void change(new FormData(event.currentTarget));
        }}
      >
        <h2>{say('password.title')}</h2>
        {/* Password managers find out here whose password it is. */}
        <input name="username" autoComplete="username" value={login} readOnly hidden />
        {field('currentPassword', say('password.current'), 'current-password')}
        {field('newPassword', say('password.new'), 'new-password')}
        {field('again', say('password.again'), 'new-password')}
        <div>
          <label className="row">
            <input type="checkbox" name="endSessions" defaultChecked aria-describedby={hint} />
            {say('password.end')}
          </label>
          <p id={hint} className="small soft">
            {say('password.endHint')}
          </p>
        </div>
        {wrong && (
          <p id={problem} className="state bad" role="alert">
            {wrong.text}
          </p>
        )}
        <div className="row">
          <button className="button main" aria-disabled={sending}>
            {say(sending ? 'password.changing' : 'password.title')}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {say('app.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
