/** What is known of the file in the viewer, and its description. */
import { useEffect, useRef, useState } from 'react';
import { DescribeAttachmentDocument, type AttachmentRowFragment } from '../generated/documents';
import { moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { Time } from '../shell/time';
import { say } from '../words';
import { size } from '../words/formats';
import { replace } from './attachments-query';
import { FileState } from './file-tile';

export function Details({
  file,
  containerId,
  onClose,
}: {
  file: AttachmentRowFragment;
  containerId: string;
  onClose: () => void;
}) {
  return (
    <aside className="details" aria-label={say('details.title', { name: file.fileName })}>
      <div className="details-head">
        <h3>{say('viewer.details')}</h3>
        <button
          type="button"
          className="round"
          aria-label={say('viewer.closeDetails')}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <FileState status={file.status} />
      <Description key={file.id} file={file} containerId={containerId} />
      <Facts file={file}>
        {file.status === 'SCANNED' && (
          <>
            <dt>{say('details.viruses')}</dt>
            <dd>{say('details.none')}</dd>
          </>
        )}
        <dt>{file.digest.algorithm}</dt>
        <dd>
          <code>{file.digest.hash}</code>
        </dd>
      </Facts>
    </aside>
  );
}

export function Facts({
  file,
  children,
}: {
  file: AttachmentRowFragment;
  children?: React.ReactNode;
}) {
  return (
    <dl className="pairs">
      <dt>{say('details.size')}</dt>
      <dd>{size(file.fileSize)}</dd>
      <dt>{say('details.kind')}</dt>
      <dd>{file.contentType}</dd>
      <dt>{say('details.added')}</dt>
      <dd>
        <Time of={file.createdAt} /> {say('row.by', { name: file.author.name })}
      </dd>
      {children}
    </dl>
  );
}

function Description({ file, containerId }: { file: AttachmentRowFragment; containerId: string }) {
  const [text, setText] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const edit = useRef<HTMLButtonElement>(null);
  const { raw } = file.description;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (text === undefined && wasOpen.current) edit.current?.focus();
    wasOpen.current = text !== undefined;
  }, [text]);
  const done = (): void => setText(undefined);
  async function save(description: string): Promise<void> {
    try {
      const { updateAttachment } = await moorage.mutate(DescribeAttachmentDocument, {
        id: file.id,
        description,
      });
      replace(containerId, updateAttachment.attachment);
      done();
    } catch (error) {
      setWrong(reasonOf(error));
    }
  }
  if (text === undefined)
    return (
      <div className="row">
        <p className={raw ? '' : 'soft'}>{raw || say('details.noDescription')}</p>
        {file.viewerCanUpdate && (
          <button
            ref={edit}
            type="button"
            className="round push"
            aria-label={say('details.edit')}
            onClick={() => {
              setWrong(undefined);
              setText(raw);
            }}
          >
            <Icon name="pencil" />
          </button>
        )}
      </div>
    );
  return (
    <form
      className="describe"
      onSubmit={(event) => {
        event.preventDefault();
        void save(text);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The dialog stays open.
        event.preventDefault();
        done();
      }}
    >
      <textarea
        className="inline-field"
        aria-label={say('details.description')}
        rows={3}
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {wrong && (
        <p className="state bad" role="alert">
          {wrong}
        </p>
      )}
      <div className="row">
        <button className="button main">{say('details.save')}</button>
        <button type="button" className="button" onClick={done}>
          {say('app.cancel')}
        </button>
      </div>
    </form>
  );
}
