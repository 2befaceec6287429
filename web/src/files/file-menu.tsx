/** The menu of a file: what the person may do with it. */
import type { AttachmentRowFragment } from '../generated/documents';
import { Icon, type IconName } from '../shell/icon';
import { PopMenu, type Place } from '../shell/pop-menu';
import { say, type WordKey } from '../words';
import { downloadAddress } from './download';

export type FileAct = 'open' | 'copyLink' | 'rename' | 'describe' | 'replace' | 'move' | 'delete';

export function FileMenu({
  file,
  at,
  run,
  onClose,
}: {
  file: AttachmentRowFragment;
  at: Place;
  run: (act: FileAct, file: AttachmentRowFragment) => void;
  onClose: () => void;
}) {
  const item = (act: FileAct, icon: IconName, label: WordKey, key?: string) => (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={act === 'delete' ? 'danger' : ''}
      aria-keyshortcuts={key}
      onClick={() => run(act, file)}
    >
      <Icon name={icon} />
      {say(label)}
      {key && <kbd aria-hidden="true">{key}</kbd>}
    </button>
  );
  const { viewerCanUpdate, viewerCanMove, viewerCanDelete } = file;
  return (
    <PopMenu label={say('files.menuOf', { name: file.fileName })} at={at} onClose={onClose}>
      {item('open', 'eye', 'files.open')}
      {file.viewerCanDownload && (
        <a role="menuitem" tabIndex={-1} href={downloadAddress(file)} download={file.fileName}>
          <Icon name="down" />
          {say('files.download')}
        </a>
      )}
      {item('copyLink', 'copy', 'files.copyLink')}
      {(viewerCanUpdate || viewerCanMove) && <hr />}
      {viewerCanUpdate && item('rename', 'pencil', 'files.rename', 'F2')}
      {viewerCanUpdate && item('describe', 'text', 'files.describe')}
      {viewerCanMove && item('replace', 'swap', 'files.replace')}
      {viewerCanMove && item('move', 'move', 'files.move')}
      {viewerCanDelete && <hr />}
      {viewerCanDelete && item('delete', 'bin', 'files.delete', 'Del')}
    </PopMenu>
  );
}
