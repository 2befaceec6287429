/** Asks what to do with a file whose name is there already. */
import { useState } from 'react';
import { Dialog } from '../shell/dialog';
import { say } from '../words';

export type Choice = 'keep' | 'skip';

export function SameName({
  name,
  others,
  choose,
}: {
  name: string;
  /** How many more files have a name that is there already. */
  others: number;
  choose: (choice: Choice, forAll: boolean) => void;
}) {
  const [forAll, setForAll] = useState(false);
  return (
    <Dialog
      label={say('same.title', { name })}
      className="small"
      onClose={() => choose('skip', forAll)}
    >
      <form method="dialog" onSubmit={(event) => event.preventDefault()}>
        <h2>{say('same.title', { name })}</h2>
        {others > 0 && (
          <label className="row">
            <input
              type="checkbox"
              checked={forAll}
              onChange={(event) => setForAll(event.target.checked)}
            />
            {say('same.all', { count: others })}
          </label>
        )}
        <div className="row">
          <button type="button" className="button main" onClick={() => choose('keep', forAll)}>
            {say('same.keep')}
          </button>
          <button type="button" className="button" onClick={() => choose('skip', forAll)}>
            {say('same.skip')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
