/** One attachment, as a tile or as a row; style sheets decide which. */
import { useState } from 'react';
import type { AttachmentRowFragment } from '../generated/documents';
import { Icon } from '../shell/icon';
import { Name } from '../shell/name';
import { Time } from '../shell/time';
import { say } from '../words';
import { size } from '../words/formats';
import { iconOf, kindOf } from './kinds';
import { useThumbnail } from './thumbnails';

export function Thumbnail({ file }: { file: AttachmentRowFragment }) {
  const [broken, setBroken] = useState<string>();
  const kind = kindOf({ name: file.fileName, type: file.contentType });
  const address = useThumbnail(file);
  const shown = address !== undefined && broken !== address && file.status !== 'QUARANTINED';
  return (
    <div className={`thumb kind-${kind}`}>
      {shown ? (
        <img
          src={address}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(address)}
        />
      ) : (
        <Icon name={file.status === 'QUARANTINED' ? 'stop' : iconOf(kind)} />
      )}
    </div>
  );
}

/** What keeps a file from being opened, in words. */
export function FileState({ status }: { status: AttachmentRowFragment['status'] }) {
  if (status === 'QUARANTINED')
    return (
      <span className="state bad">
        <Icon name="stop" />
        {say('files.held')}
      </span>
    );
  if (status === 'PREPARED')
    return (
      <span className="state wait">
        <Icon name="clock" />
        {say('files.notYet')}
      </span>
    );
  return null;
}

export function FileTile({
  file,
  selected,
  onSelect,
  onOpen,
}: {
  file: AttachmentRowFragment;
  selected: boolean;
  onSelect: (selected: boolean, range: boolean) => void;
  onOpen: () => void;
}) {
  const state =
    file.status === 'QUARANTINED' ? 'held' : file.status === 'PREPARED' ? 'checking' : '';
  return (
    <li className={`file ${state}`} data-id={file.databaseId}>
      <label className="pick">
        <input
          type="checkbox"
          checked={selected}
          aria-label={say('files.select', { name: file.fileName })}
          onChange={(event) =>
            onSelect(
              event.target.checked,
              event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey,
            )
          }
        />
      </label>
      <Thumbnail file={file} />
      <div className="words">
        <button type="button" className="open-file" onClick={onOpen}>
          <Name>{file.fileName}</Name>
        </button>
        <div className="meta">
          <span>{size(file.fileSize)}</span>
          <Time of={file.createdAt} />
          <span className="by">{say('row.by', { name: file.author.name })}</span>
          <FileState status={file.status} />
        </div>
      </div>
    </li>
  );
}
