/** What is known of the file in the viewer, and its description. */
import { useEffect, useRef, useState } from 'react';
import type { AttachmentRowFragment } from '../generated/documents';
import { Icon } from '../shell/icon';
import { Time } from '../shell/time';
import { say } from '../words';
import { size } from '../words/formats';
import type { ViewedFile } from './attachments-query';
import { DescriptionForm } from './description-form';
import { FileHistory } from './file-history';
import { FileState } from './file-tile';

export function Details({
  file,
  containerId,
  onClose,
}: {
  file: ViewedFile;
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
      {file.container?.__typename === 'WorkPackage' && (
        <FileHistory file={file} workPackageId={file.container.id} />
      )}
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
  const [isEdited, setEdited] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const { raw } = file.description;
  const wasEdited = useRef(false);
  useEffect(() => {
    if (!isEdited && wasEdited.current) edit.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  if (isEdited)
    return <DescriptionForm file={file} containerId={containerId} onEnd={() => setEdited(false)} />;
  return (
    <div className="row">
      <p className={raw ? '' : 'soft'}>{raw || say('details.noDescription')}</p>
      {file.viewerCanUpdate && (
        <button
          ref={edit}
          type="button"
          className="round push"
          aria-label={say('details.edit')}
          onClick={() => setEdited(true)}
        >
          <Icon name="pencil" />
        </button>
      )}
    </div>
  );
}
