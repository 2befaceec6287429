/** The status of a work package: a sign for its stage, with the colour of the directory. */
import type { CSSProperties } from 'react';
import type { WordKey } from '../words';
import { say } from '../words';

interface Status {
  name: string;
  color?: string | null;
  isClosed: boolean;
  isDefault: boolean;
}

type Stage = 'new' | 'inWork' | 'waiting' | 'done' | 'refused';

/** 20 × 20, beside a name. */
const shapes: { [stage in Stage]: string } = {
  new: 'M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14',
  inWork: 'M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14M10 3v14a7 7 0 0 0 0-14z',
  waiting: 'M7 5v10M13 5v10',
  done: 'M4 10.5l4 4L16 6',
  refused: 'M5 5l10 10M15 5L5 15',
};

/** The directory says what is closed and where work packages begin. Names tell the rest. */
function stageOf({ name, isClosed, isDefault }: Status): Stage {
  if (isClosed) return /reject|refus|abgelehnt/i.test(name) ? 'refused' : 'done';
  if (isDefault) return 'new';
  return /hold|wait|wart/i.test(name) ? 'waiting' : 'inWork';
}

export function StatusSign({ status }: { status: Status }) {
  const stage = stageOf(status);
  const word = say(`stage.${stage}` satisfies WordKey);
  const style = { '--status': status.color ?? undefined } as CSSProperties;
  return (
    <span className="status" data-stage={stage} style={style}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={shapes[stage]} />
      </svg>
      {word !== status.name && <span className="unseen">{word}: </span>}
      <bdi>{status.name}</bdi>
    </span>
  );
}
