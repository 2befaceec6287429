/** What is wrong in a file: the same mistakes together, then each with its place. */
import { useState } from 'react';
import { Icon } from '../../shell/icon';
import { say } from '../../words';
import { visible } from '../../words/names';
import type { Report } from './use-import';

type Mistake = Report['errors'][number];

const SHOWN = 100;
const GROUPS = 5;
const PLACES = 3;

export function Mistakes({
  name,
  report: { errors, errorCount },
}: {
  name: string;
  report: Report;
}) {
  const [shown, setShown] = useState(SHOWN);
  const groups = [...byMessage(errors)]
    .filter(([, { length }]) => length > 1)
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, GROUPS);
  return (
    <>
      <p>{say('import.mistakesSay')}</p>
      {groups.length > 0 && (
        <ul className="checks">
          {groups.map(([message, rows]) => (
            <li key={message} className="bad">
              <Icon name="stop" />
              <div>
                <b>
                  {say('import.times', { count: rows.length })}{' '}
                  <span lang="en" dir="auto">
                    {visible(message)}
                  </span>
                </b>
                <span className="small" dir="ltr">
                  {rows
                    .slice(0, PLACES)
                    .map(({ path }) => visible(path))
                    .join(', ')}
                  {rows.length > PLACES && ' …'}
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <button type="button" className="button" onClick={() => save(name, errors)}>
          <Icon name="down" />
          {say('import.download')}
        </button>
        {errorCount > errors.length && (
          <span className="small soft">
            {say('import.listedOf', { shown: errors.length, count: errorCount })}
          </span>
        )}
      </div>
      <table className="file-table admin-table" aria-label={say('import.allMistakes')}>
        <thead>
          <tr>
            <th scope="col">{say('import.place')}</th>
            <th scope="col">{say('import.problem')}</th>
          </tr>
        </thead>
        <tbody>
          {errors.slice(0, shown).map(({ path, message }, index) => (
            <tr key={index}>
              <th scope="row" className="named">
                {path ? <code dir="ltr">{visible(path)}</code> : say('import.wholeFile')}
              </th>
              <td className="where" lang="en" dir="auto">
                {visible(message)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {errors.length > shown && (
        <p className="row">
          <button type="button" className="button" onClick={() => setShown(errors.length)}>
            {say('import.showAll', { count: errors.length })}
          </button>
        </p>
      )}
    </>
  );
}

function byMessage(errors: readonly Mistake[]): Map<string, Mistake[]> {
  const groups = new Map<string, Mistake[]>();
  for (const mistake of errors) {
    const group = groups.get(mistake.message) ?? [];
    groups.set(mistake.message, group);
    group.push(mistake);
  }
  return groups;
}

/** The list as a text file, for whoever repairs the file. */
function save(name: string, errors: readonly Mistake[]): void {
  const lines = errors.map(({ path, message }) => `${path || '/'}: ${message}\n`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(lines, { type: 'text/plain' }));
  link.download = `${name}.mistakes.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
