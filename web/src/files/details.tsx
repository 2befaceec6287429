/** One attachment beside the list: picture, description, what is known, and what can be done. */
import { useEffect, useRef, useState } from 'react';
import { DescribeAttachmentDocument, type AttachmentRowFragment } from '../generated/documents';
import { moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { tell } from '../shell/messages';
import { Time } from '../shell/time';
import { visible } from '../words/names';
import { say } from '../words';
import { size } from '../words/formats';
import { replace, useAttachment } from './attachments-query';
import { contentAddress, downloadAddress } from './download';
import { FileState, Thumbnail } from './file-tile';
import { withdraw } from './withdraw';

interface Opened {
  file: AttachmentRowFragment;
  containerId: string;
  onClose: () => void;
  onPreview: () => void;
}

export function Details(opened: Opened) {
  const file = useAttachment(opened.file);
  if (file) return <Known {...opened} file={file} />;
  return (
    <aside className="details" aria-label={opened.file.fileName}>
      <div className="details-body">
        <div className="details-head">
          <h2>
            <bdi>{opened.file.fileName}</bdi>
          </h2>
          <CloseButton onClose={opened.onClose} />
        </div>
        <p className="state">{say('files.gone')}</p>
      </div>
    </aside>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" className="round" aria-label={say('app.close')} onClick={onClose}>
      <Icon name="close" />
    </button>
  );
}

function Known({ file, containerId, onClose, onPreview }: Opened) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Keyboards and screen readers go to what was opened.
  useEffect(() => heading.current?.focus(), [file.id]);
  const usable = file.status !== 'QUARANTINED' && file.status !== 'PREPARED';
  return (
    <aside
      className="details"
      aria-label={say('details.title', { name: file.fileName })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      {usable ? (
        <button
          type="button"
          className="details-picture"
          aria-label={say('details.open')}
          onClick={onPreview}
        >
          <Thumbnail file={file} />
        </button>
      ) : (
        <div className="details-picture">
          <Thumbnail file={file} />
        </div>
      )}
      <div className="details-body">
        <div className="details-head">
          <h2 ref={heading} tabIndex={-1}>
            <bdi>{visible(file.fileName)}</bdi>
          </h2>
          <CloseButton onClose={onClose} />
        </div>
        <FileState status={file.status} />
        <Description key={file.id} file={file} containerId={containerId} />
        <div className="row">
          {usable && (
            <a className="button main" href={downloadAddress(file)} download={file.fileName}>
              <Icon name="down" />
              {say('files.download')}
            </a>
          )}
          <CopyLink file={file} />
          {file.viewerCanDelete && (
            <button
              type="button"
              className="button danger"
              onClick={() => {
                withdraw(containerId, [file]);
                onClose();
              }}
            >
              <Icon name="bin" />
              {say('files.delete')}
            </button>
          )}
        </div>
        <dl className="pairs">
          <dt>{say('details.size')}</dt>
          <dd>{size(file.fileSize)}</dd>
          <dt>{say('details.kind')}</dt>
          <dd>{file.contentType}</dd>
          <dt>{say('details.added')}</dt>
          <dd>
            <Time of={file.createdAt} /> {say('row.by', { name: file.author.name })}
          </dd>
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
        </dl>
      </div>
    </aside>
  );
}

function CopyLink({ file }: { file: AttachmentRowFragment }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="button"
      onClick={() =>
        void navigator.clipboard
          .writeText(new URL(contentAddress(file), location.href).href)
          .then(() => setCopied(true))
      }
    >
      <Icon name={copied ? 'check' : 'copy'} />
      {say(copied ? 'details.copied' : 'details.copyLink')}
    </button>
  );
}

function Description({ file, containerId }: { file: AttachmentRowFragment; containerId: string }) {
  const [text, setText] = useState<string>();
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
      tell(reasonOf(error));
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
            onClick={() => setText(raw)}
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
        event.stopPropagation();
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
      <div className="row">
        <button className="button main">{say('details.save')}</button>
        <button type="button" className="button" onClick={done}>
          {say('app.cancel')}
        </button>
      </div>
    </form>
  );
}
