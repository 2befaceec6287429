/** What can be done with the files that are selected. */
import type { ReactNode } from 'react';
import { reasonOf } from '../shell/failure';
import { Icon, type IconName } from '../shell/icon';
import { tell } from '../shell/messages';
import { say, type WordKey } from '../words';
import { size } from '../words/formats';
import { homeOf, type ListedFile } from './attachments-query';
import { download } from './download';
import type { Journey } from './targets';

export function SelectionBar({
  containerId,
  files,
  send,
  remove,
  clear,
  more,
}: {
  containerId: string;
  files: readonly ListedFile[];
  send: (journey: Journey, files: readonly ListedFile[], done: () => void) => void;
  remove: (files: readonly ListedFile[]) => void;
  clear: () => void;
  /** What there is to say and to do when the list has files that are not loaded. */
  more: ReactNode;
}) {
  const bytes = files.reduce((sum, { fileSize }) => sum + fileSize, 0);
  const act = (icon: IconName, label: WordKey, run: () => void, className = '') => (
    <button type="button" className={`button ${className}`} onClick={run}>
      <Icon name={icon} />
      <span>{say(label)}</span>
    </button>
  );
  // An archive has files of one container.
  const [home, ...others] = new Set(files.map((file) => homeOf(file, containerId)));
  const isTogether = others.length === 0;
  const save = (): void =>
    void download(home ?? containerId, files).catch((error: unknown) => void tell(reasonOf(error)));
  return (
    <div className="picked-place">
      <div
        className="picked"
        role="group"
        aria-label={say('files.selected', { count: files.length })}
      >
        <span>
          {say('files.selected', { count: files.length })}, {size(bytes)}
        </span>
        {more}
        {files.every(({ viewerCanDownload }) => viewerCanDownload) && (
          <>
            {isTogether ? (
              act('down', files.length > 1 ? 'files.downloadZip' : 'files.download', save)
            ) : (
              <span className="small">{say('files.downloadApart')}</span>
            )}
            {act('copy', 'files.copy', () => send('copy', files, clear))}
          </>
        )}
        {files.every(({ viewerCanMove }) => viewerCanMove) &&
          act('move', 'files.moveSome', () => send('move', files, clear))}
        {files.every(({ viewerCanDelete }) => viewerCanDelete) &&
          act(
            'bin',
            'files.delete',
            () => {
              remove(files);
              clear();
            },
            'danger',
          )}
        <button type="button" className="round" aria-label={say('files.clear')} onClick={clear}>
          <Icon name="close" />
        </button>
      </div>
    </div>
  );
}
