/** What a work package is about: its description, and beside it people and dates. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { WorkPackagePageQuery } from '../generated/documents';
import { Time } from '../shell/time';
import { say, type WordKey } from '../words';

export type WorkPackage = NonNullable<WorkPackagePageQuery['container']>;

export function About({ workPackage }: { workPackage: WorkPackage }) {
  const { html } = workPackage.description;
  return (
    <section className={html ? 'about' : 'about bare'} aria-label={say('wp.about')}>
      {html && <Description html={html} />}
      <dl className="people">
        <Fact label="wp.assignee">
          {workPackage.assignee ? (
            <bdi>{workPackage.assignee.name}</bdi>
          ) : (
            <span className="soft">{say('wp.nobody')}</span>
          )}
        </Fact>
        {workPackage.responsible && (
          <Fact label="wp.responsible">
            <bdi>{workPackage.responsible.name}</bdi>
          </Fact>
        )}
        <Fact label="wp.author">
          <bdi>{workPackage.author.name}</bdi> <Time of={workPackage.createdAt} />
        </Fact>
        <Fact label="wp.updated">
          <Time of={workPackage.updatedAt} />
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ label, children }: { label: WordKey; children: ReactNode }) {
  return (
    <div>
      <dt>{say(label)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Style sheets say how many lines are shown. The button is there only if something is hidden. */
function Description({ html }: { html: string }) {
  const [open, setOpen] = useState(false);
  const [hidesText, setHidesText] = useState(false);
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = text.current;
    if (!box || open) return;
    const watcher = new ResizeObserver(() => setHidesText(box.scrollHeight > box.clientHeight + 1));
    watcher.observe(box);
    return () => watcher.disconnect();
  }, [html, open]);
  return (
    <div className="says">
      <div
        ref={text}
        id="description"
        className={open ? 'rendered' : 'rendered clamp'}
        dir="auto"
        // A link that is hidden can still get the focus.
        onFocus={({ target }) => setOpen(open || target.matches(':focus-visible'))}
        // The service makes this HTML from Markdown, and lets nothing through that acts.
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {(hidesText || open) && (
        <button
          type="button"
          className="link-button"
          aria-expanded={open}
          aria-controls="description"
          onClick={() => setOpen(!open)}
        >
          {say(open ? 'wp.showLess' : 'wp.showAll')}
        </button>
      )}
    </div>
  );
}
