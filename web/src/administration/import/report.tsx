/** What an import would change, has changed, or refuses. */
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Icon } from '../../shell/icon';
import { nameOf, numeral, say } from '../../words';
import { visible } from '../../words/names';
import { Mistakes } from './mistakes';
import type { Report } from './use-import';

const PARTS = ['added', 'changed', 'ended'] as const;

export function ImportReport({
  name,
  report,
  isDone,
  isRunning,
  onImport,
}: {
  name: string;
  report: Report;
  isDone: boolean;
  isRunning: boolean;
  onImport: () => void;
}) {
  const changes = PARTS.flatMap((part) => report[part]);
  const title =
    report.errorCount > 0
      ? say('import.mistakes', { count: report.errorCount, name })
      : say(isDone ? 'import.done' : changes.length === 0 ? 'import.nothing' : 'import.ready', {
          name,
        });
  return (
    <Titled title={title} isWrong={report.errorCount > 0}>
      {report.errorCount > 0 ? (
        <Mistakes name={name} report={report} />
      ) : changes.length === 0 ? (
        <p>{say('import.nothingSays')}</p>
      ) : (
        <>
          <Figures report={report} isDone={isDone} />
          {PARTS.map((part) => (
            <Part key={part} part={part} report={report} isDone={isDone} />
          ))}
          {!isDone && (
            <div className="row">
              <button
                type="button"
                className="button main"
                aria-disabled={isRunning}
                onClick={onImport}
              >
                {say(isRunning ? 'import.importing' : 'import.run')}
              </button>
              <span className="small soft" role="status">
                {isRunning && say('import.goesOn')}
              </span>
            </div>
          )}
        </>
      )}
    </Titled>
  );
}

/** Its heading takes the focus: the page has answered. */
function Titled({
  title,
  isWrong,
  children,
}: {
  title: string;
  isWrong: boolean;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => heading.current?.focus(), [title]);
  return (
    <section className="panel admin-form import-report" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1} className={`state ${isWrong ? 'bad' : 'good'}`}>
        <Icon name={isWrong ? 'warn' : 'check'} />
        <span>{title}</span>
      </h2>
      {children}
    </section>
  );
}

const wordOf = (part: (typeof PARTS)[number], isDone: boolean): string =>
  say(`import.${isDone ? 'was' : 'will'}.${part}`);

function Figures({ report, isDone }: { report: Report; isDone: boolean }) {
  return (
    <dl className="figures">
      {PARTS.map((part) => (
        <div key={part} className="panel">
          <dt>{wordOf(part, isDone)}</dt>
          <dd>
            <b>{numeral(report[part].reduce((sum, { count }) => sum + count, 0))}</b>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Part({
  part,
  report,
  isDone,
}: {
  part: (typeof PARTS)[number];
  report: Report;
  isDone: boolean;
}) {
  const lists = report[part];
  if (lists.length === 0) return null;
  return (
    <div>
      <h3>{wordOf(part, isDone)}</h3>
      {part === 'ended' && <p className="small soft">{say('import.endedSays')}</p>}
      <ul className="access">
        {lists.map(({ list, count, examples }) => (
          <li key={list}>
            <div className="examples">
              <b>{nameOf(`import.list.${list}`, list)}</b>
              {examples.length > 0 && (
                <p className="small soft" dir="auto">
                  {examples.map((example) => visible(example)).join(', ')}
                  {count > examples.length && ' …'}
                </p>
              )}
            </div>
            <span>{numeral(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
