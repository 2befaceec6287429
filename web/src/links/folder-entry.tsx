import { useId } from 'react';
import type { FolderEntryFragment } from '../generated/documents';
import { iconOf, kindOf } from '../files/kinds';
import { Icon } from '../shell/icon';
import { Name } from '../shell/name';
import { Time } from '../shell/time';
import { say } from '../words';
import { size } from '../words/formats';

/** A row of a folder. Its box chooses it; the name of a folder opens the folder. */
export function FolderEntry({
  entry,
  linked,
  chosen,
  onChoose,
  onEnter,
}: {
  entry: FolderEntryFragment;
  linked: boolean;
  chosen: boolean;
  onChoose: (on: boolean) => void;
  onEnter: () => void;
}) {
  const box = useId();
  const kind = kindOf({ name: entry.name, type: entry.mimeType });
  return (
    <li className="entry">
      <input
        id={box}
        type="checkbox"
        aria-label={say('files.select', { name: entry.name })}
        checked={chosen || linked}
        disabled={linked}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <span className={`kind kind-${kind}`}>
        <Icon name={iconOf(kind)} />
      </span>
      <div>
        {kind === 'folder' ? (
          <button
            type="button"
            className="enter"
            aria-label={say('folder.enter', { name: entry.name })}
            onClick={onEnter}
          >
            <Name>{entry.name}</Name>
          </button>
        ) : (
          <label htmlFor={box}>
            <Name>{entry.name}</Name>
          </label>
        )}
        {linked && <span className="state">{say('folder.linked')}</span>}
      </div>
      <span className="when">{entry.lastModifiedAt && <Time of={entry.lastModifiedAt} />}</span>
      <span className="size">{kind !== 'folder' && entry.size !== null && size(entry.size)}</span>
    </li>
  );
}
