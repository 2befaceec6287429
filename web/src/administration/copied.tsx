/** A text to copy into another program. A secret lives in the state of its page only. */
import { useId, useRef, useState } from 'react';
import { Icon } from '../shell/icon';
import { speak } from '../shell/messages';
import { say } from '../words';

export function Copied({ label, text }: { label: string; text: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      speak(say('admin.copied'));
    } catch {
      // The browser does not allow it here. The person copies the selection.
      field.current?.select();
    }
  }
  return (
    <div className="copied">
      <label htmlFor={id}>{label}</label>
      <div>
        <input id={id} ref={field} readOnly value={text} dir="ltr" autoComplete="off" />
        <button type="button" className="button" onClick={() => void copy()}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {say(isCopied ? 'admin.copied' : 'admin.copy')}
          <span className="unseen">: {label}</span>
        </button>
      </div>
    </div>
  );
}

/** A secret that the service tells once. */
export function Secret({ label, text }: { label: string; text: string }) {
  return (
    <>
      <Copied label={label} text={text} />
      <p className="note">
        <Icon name="warn" />
        <span>{say('admin.onlyOnce')}</span>
      </p>
    </>
  );
}
