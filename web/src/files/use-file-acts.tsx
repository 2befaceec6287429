/** What a person does with files of a list, and the dialogs for it. */
import { useState, type ReactNode } from 'react';
import { reasonOf } from '../shell/failure';
import { tell } from '../shell/messages';
import type { Place } from '../shell/pop-menu';
import { say } from '../words';
import { homeOf, type ListedFile } from './attachments-query';
import { chooseFile } from './choose-files';
import { DescribeDialog } from './description-form';
import { FileMenu, type FileAct } from './file-menu';
import { Rename } from './rename';
import { Targets, type Journey } from './targets';
import type { useAdding } from './use-adding';
import { focusFile } from './use-selection';
import { withdraw } from './withdraw';

type File = ListedFile;
type Shown =
  | { is: 'menu'; file: File; at: Place }
  | { is: 'rename' | 'describe'; file: File }
  | { is: Journey; files: readonly File[]; done: () => void };

/** The address of a file on this page. */
const addressOf = ({ databaseId }: File): string =>
  new URL(`?file=${databaseId}`, location.href).href;

export function useFileActs({
  containerId,
  rows,
  adding,
  open,
}: {
  containerId: string;
  rows: readonly File[];
  adding: ReturnType<typeof useAdding>;
  open: (databaseId: number) => void;
}) {
  const [shown, setShown] = useState<Shown>();
  const end = (): void => setShown(undefined);
  const fileOf = (id: string): File | undefined => rows.find((row) => row.id === id);

  function remove(files: readonly File[]): void {
    if (files.length > 0 && files.every(({ viewerCanDelete }) => viewerCanDelete))
      withdraw(containerId, files);
  }
  function run(act: FileAct, file: File): void {
    if (act === 'open') open(file.databaseId);
    else if (act === 'copyLink')
      navigator.clipboard.writeText(addressOf(file)).then(
        () => tell(say('files.linkCopied', { name: file.fileName })),
        (error: unknown) => tell(reasonOf(error)),
      );
    else if (act === 'replace')
      chooseFile((content) => adding.replace(file, content, homeOf(file, containerId)));
    else if (act === 'move') send('move', [file]);
    else if (act === 'delete') remove([file]);
    else setShown({ is: act, file });
  }
  const send = (is: Journey, files: readonly File[], done = (): void => undefined): void =>
    setShown({ is, files, done });

  let dialog: ReactNode = null;
  if (shown?.is === 'menu')
    dialog = (
      <FileMenu
        key={`${shown.file.id} ${shown.at.x} ${shown.at.y}`}
        file={shown.file}
        at={shown.at}
        run={run}
        // An item may have opened something else.
        onClose={() => setShown((now) => (now === shown ? undefined : now))}
      />
    );
  else if (shown?.is === 'describe')
    dialog = <DescribeDialog file={shown.file} containerId={containerId} onEnd={end} />;
  else if (shown?.is === 'move' || shown?.is === 'copy')
    dialog = (
      <Targets
        journey={shown.is}
        files={shown.files}
        containerId={containerId}
        onEnd={(done) => {
          end();
          if (done) shown.done();
        }}
      />
    );

  return {
    dialog,
    send,
    remove,
    menu: (id: string, at: Place): void => {
      const file = fileOf(id);
      if (file) setShown({ is: 'menu', file, at });
    },
    rename: (id: string): void => {
      const file = fileOf(id);
      if (file?.viewerCanUpdate) setShown({ is: 'rename', file });
    },
    /** The field in the place of a file's name. */
    renaming: (file: File): ReactNode =>
      shown?.is === 'rename' && shown.file.id === file.id ? (
        <Rename
          file={file}
          containerId={containerId}
          onEnd={() => {
            end();
            requestAnimationFrame(() => focusFile(file));
          }}
        />
      ) : null,
  };
}
