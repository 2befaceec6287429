/** The parts of the page of the account: a heading, and rows that can be ended. */
import { useState, type ReactNode } from 'react';
import { Icon } from '../shell/icon';
import { Dialog } from '../shell/dialog';
import { reasonOf } from '../shell/failure';
import { tell } from '../shell/messages';
import { say } from '../words';

export function Panel({
  id,
  title,
  action,
  children,
}: {
  id: string;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="panel" id={id} aria-labelledby={`${id}-title`} tabIndex={-1}>
      <div className="head">
        <h2 id={`${id}-title`}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** One row: what it is, the facts, and what can be done. */
export function Setting({
  name,
  facts,
  children,
}: {
  name: string;
  facts: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="setting">
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <span className="small soft">{facts}</span>
      </div>
      {children}
    </li>
  );
}

/** A button that asks before it ends something for good. */
export function End({
  name,
  label,
  title,
  why,
  run,
  done,
}: {
  /** What the button is for, for those who do not see its row. */
  name: string;
  label: string;
  /** The question. */
  title: string;
  /** What stops working then. */
  why: string;
  run: () => Promise<unknown>;
  /** Said after it. */
  done: string;
}) {
  const [asking, setAsking] = useState(false);
  const [sending, setSending] = useState(false);
  const [wrong, setWrong] = useState<string>();
  async function end(): Promise<void> {
    if (sending) return;
    setSending(true);
    setWrong(undefined);
    try {
      await run();
      setAsking(false);
      tell(done);
    } catch (error) {
      setWrong(reasonOf(error));
    } finally {
      setSending(false);
    }
  }
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={name}
        onClick={() => {
          setWrong(undefined);
          setAsking(true);
        }}
      >
        {label}
      </button>
      {asking && (
        <Dialog label={title} className="small" onClose={() => setAsking(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void end();
            }}
          >
            <h2>{title}</h2>
            <p>{why}</p>
            {wrong && (
              <p className="state bad" role="alert">
                <Icon name="warn" />
                {wrong}
              </p>
            )}
            <div className="row">
              <button className="button danger" aria-disabled={sending}>
                {label}
              </button>
              <button type="button" className="button" onClick={() => setAsking(false)}>
                {say('app.cancel')}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
