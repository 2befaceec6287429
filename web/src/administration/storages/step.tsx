/** One step of a set-up: done, the present one, or one that comes later. */
import type { ReactNode } from 'react';
import { Icon } from '../../shell/icon';
import { say } from '../../words';

export function Step({
  number,
  at,
  title,
  children,
}: {
  number: number;
  /** The number of the present step. */
  at: number;
  title: string;
  children?: ReactNode;
}) {
  const state = number < at ? 'done' : number === at ? 'now' : 'next';
  return (
    <li className={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className="knot" aria-hidden="true">
        {state === 'done' ? <Icon name="check" /> : number}
      </span>
      <h2>
        {title}
        {state === 'done' && <span className="unseen">: {say('step.done')}</span>}
      </h2>
      {children}
    </li>
  );
}
