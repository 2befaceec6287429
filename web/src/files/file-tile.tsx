/** One attachment, as a tile and as a row of the table. The list listens to events for all of them. */
import { memo, useState, type ReactNode } from 'react';
import type { AttachmentRowFragment } from '../generated/documents';
import { Icon } from '../shell/icon';
import { Name } from '../shell/name';
import { Time } from '../shell/time';
import { say } from '../words';
import { size } from '../words/formats';
import { isInComment, type ListedFile } from './attachments-query';
import { badgeOf, iconOf, kindOf } from './kinds';
import { useThumbnail } from './thumbnails';

export function Thumbnail({
  file,
  children,
}: {
  file: AttachmentRowFragment;
  children?: ReactNode;
}) {
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
        <div className="sign">
          <Icon name={file.status === 'QUARANTINED' ? 'stop' : iconOf(kind)} />
          <span className="badge" aria-hidden="true">
            {badgeOf(file.fileName)}
          </span>
        </div>
      )}
      {children}
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

interface FileProps {
  file: ListedFile;
  selected: boolean;
  /** Whether Tab comes to it: one file of a list has this. */
  current: boolean;
  /** Whether it was added by others since the last visit. */
  isNew: boolean;
  /** The field for its new name. */
  renaming: ReactNode;
}

const classOf = ({ file: { status }, isNew }: FileProps): string =>
  `file ${status === 'QUARANTINED' ? 'held' : status === 'PREPARED' ? 'checking' : ''} ${isNew ? 'new' : ''}`;

function Pick({ file, selected, current }: FileProps) {
  return (
    <label className="pick">
      <input
        type="checkbox"
        checked={selected}
        readOnly
        tabIndex={current ? 0 : -1}
        aria-label={say('files.select', { name: file.fileName })}
      />
    </label>
  );
}

function CommentMark({ file }: { file: ListedFile }) {
  if (!isInComment(file)) return null;
  return (
    <span className="in-comment" title={say('files.inComment')}>
      <Icon name="talk" />
      <span className="unseen">{say('files.inComment')}</span>
    </span>
  );
}

function OpenFile({ file, current, renaming }: FileProps) {
  if (renaming) return renaming;
  return (
    <button type="button" className="open-file" tabIndex={current ? 0 : -1}>
      <Name>{file.fileName}</Name>
    </button>
  );
}

function More({ file, current }: FileProps) {
  return (
    <button
      type="button"
      className="round more"
      aria-haspopup="menu"
      aria-label={say('files.menu')}
      aria-description={file.fileName}
      tabIndex={current ? 0 : -1}
    >
      <Icon name="more" />
    </button>
  );
}

function Facts({ file, isNew }: FileProps) {
  return (
    <div className="meta">
      {isNew && <span className="state mark">{say('history.new')}</span>}
      <span>{size(file.fileSize)}</span>
      <Time of={file.createdAt} />
      <span className="by">{say('row.by', { name: file.author.name })}</span>
      <FileState status={file.status} />
    </div>
  );
}

export const FileTile = memo(function FileTile(props: FileProps) {
  const { file } = props;
  return (
    <li className={classOf(props)} data-id={file.databaseId}>
      <Pick {...props} />
      <Thumbnail file={file}>
        <CommentMark file={file} />
      </Thumbnail>
      <div className="words">
        <OpenFile {...props} />
        <Facts {...props} />
      </div>
      <More {...props} />
    </li>
  );
});

export const FileRow = memo(function FileRow(props: FileProps) {
  const { file, selected } = props;
  return (
    <tr className={classOf(props)} data-id={file.databaseId} aria-selected={selected}>
      <td className="narrow">
        <Pick {...props} />
      </td>
      <td>
        <div className="what">
          <Thumbnail file={file} />
          <div className="words">
            <OpenFile {...props} />
            <Facts {...props} />
          </div>
          <CommentMark file={file} />
          <FileState status={file.status} />
        </div>
      </td>
      <td className="wide">
        <bdi>{file.author.name}</bdi>
      </td>
      <td className="wide">
        <Time of={file.createdAt} />
      </td>
      <td className="wide number">{size(file.fileSize)}</td>
      <td className="narrow">
        <More {...props} />
      </td>
    </tr>
  );
});
