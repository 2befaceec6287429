/** What can be done with the files that are selected. */
import type { AttachmentRowFragment } from '../generated/documents';
import { reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { tell } from '../shell/messages';
import { say } from '../words';
import { size } from '../words/formats';
import { download } from './download';
import { withdraw } from './withdraw';

export function SelectionBar({
  containerId,
  files,
  clear,
}: {
  containerId: string;
  files: AttachmentRowFragment[];
  clear: () => void;
}) {
  const deletable = files.every(({ viewerCanDelete }) => viewerCanDelete);
  const bytes = files.reduce((sum, { fileSize }) => sum + fileSize, 0);
  return (
    <div
      className="picked"
      role="group"
      aria-label={say('files.selected', { count: files.length })}
    >
      <span>
        {say('files.selected', { count: files.length })} <small>{size(bytes)}</small>
      </span>
      <button
        type="button"
        className="button"
        onClick={() => {
          download(containerId, files).catch((error: unknown) => void tell(reasonOf(error)));
        }}
      >
        <Icon name="down" />
        <span>{say('files.download')}</span>
      </button>
      {deletable && (
        <button
          type="button"
          className="button danger"
          onClick={() => {
            withdraw(containerId, files);
            clear();
          }}
        >
          <Icon name="bin" />
          <span>{say('files.delete')}</span>
        </button>
      )}
      <button type="button" className="button" onClick={clear}>
        <Icon name="close" />
        <span>{say('files.clear')}</span>
      </button>
    </div>
  );
}
