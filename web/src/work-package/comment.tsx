/** A comment with its files, and what the reader may do with it. */
import { useRef, useState } from 'react';
import {
  ChangeCommentDocument,
  DeleteCommentDocument,
  type AttachmentRowFragment,
  type HistoryEntryFragment,
} from '../generated/documents';
import { FileState, Thumbnail } from '../files/file-tile';
import { useOpenFile } from '../files/open-file';
import { isWithdrawn, useWithdrawn } from '../files/withdraw';
import { moorage } from '../service';
import { Dialog } from '../shell/dialog';
import { reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { Menu } from '../shell/menu';
import { Name } from '../shell/name';
import { Time } from '../shell/time';
import { say } from '../words';
import { size } from '../words/formats';
import { CommentForm } from './comment-form';
import { Face } from './face';
import { refreshHistory } from './history-query';

export function Comment({
  comment,
  workPackageId,
  isNew,
}: {
  comment: HistoryEntryFragment;
  workPackageId: string;
  isNew: boolean;
}) {
  const { id, author, viewerCanUpdate, viewerCanDelete } = comment;
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const row = useRef<HTMLLIElement>(null);

  async function save(text: string): Promise<string> {
    await moorage.mutate(ChangeCommentDocument, { id, comment: text });
    await refreshHistory(workPackageId);
    return id;
  }
  function endEditing(): void {
    setEditing(false);
    row.current?.focus();
  }

  return (
    <li className={isNew ? 'event new' : 'event'} ref={row} tabIndex={-1}>
      <Face name={author.name} />
      <div>
        <div className="event-line">
          <b>
            <bdi>{author.name}</bdi>
          </b>{' '}
          <Time of={comment.createdAt} />
          {isNew && <span className="state mark">{say('history.new')}</span>}
          {comment.internal && (
            <span className="state" title={say('comment.internalWhy')}>
              <Icon name="lock" />
              {say('history.internal')}
            </span>
          )}
          {(viewerCanUpdate || viewerCanDelete) && !editing && (
            <Menu
              label={say('comment.menu', { name: author.name })}
              className="push"
              face={<Icon name="more" />}
            >
              {viewerCanUpdate && (
                <button type="button" onClick={() => setEditing(true)}>
                  <Icon name="pencil" />
                  {say('comment.edit')}
                </button>
              )}
              {viewerCanDelete && (
                <button type="button" onClick={() => setDeleting(true)}>
                  <Icon name="bin" />
                  {say('comment.delete')}
                </button>
              )}
            </Menu>
          )}
        </div>
        {editing ? (
          <CommentForm
            place={id}
            text={comment.comment.raw}
            label={say('comment.editing')}
            send={save}
            autoFocus
            onEnd={endEditing}
          />
        ) : (
          <div className="bubble">
            <div
              className="rendered"
              dir="auto"
              // The service makes this HTML from Markdown, and lets nothing through that acts.
              dangerouslySetInnerHTML={{ __html: comment.comment.html }}
            />
            <Files files={comment.attachments.nodes} />
          </div>
        )}
      </div>
      {deleting && (
        <DeleteDialog
          comment={comment}
          workPackageId={workPackageId}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  );
}

function Files({ files }: { files: readonly AttachmentRowFragment[] }) {
  const { open } = useOpenFile();
  useWithdrawn();
  const shown = files.filter(({ id }) => !isWithdrawn(id));
  if (shown.length === 0) return null;
  return (
    <ul className="chips">
      {shown.map((file) => (
        <li key={file.id}>
          <button type="button" className="file-chip" onClick={() => open(file.databaseId)}>
            <Thumbnail file={file} />
            <Name>{file.fileName}</Name>
            <FileState status={file.status} />
            <span className="size">{size(file.fileSize)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function DeleteDialog({
  comment: { id, attachments },
  workPackageId,
  onClose,
}: {
  comment: HistoryEntryFragment;
  workPackageId: string;
  onClose: () => void;
}) {
  const [wrong, setWrong] = useState<string>();
  async function remove(): Promise<void> {
    try {
      await moorage.mutate(DeleteCommentDocument, { id });
      await refreshHistory(workPackageId);
      onClose();
    } catch (error) {
      setWrong(reasonOf(error));
    }
  }
  return (
    <Dialog label={say('comment.deleteTitle')} className="small" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        <h2>{say('comment.deleteTitle')}</h2>
        <p>
          {attachments.totalCount > 0 &&
            `${say('comment.deleteFiles', { count: attachments.totalCount })} `}
          {say('comment.deleteFinal')}
        </p>
        {wrong && (
          <p className="note bad" role="alert">
            {wrong}
          </p>
        )}
        <div className="row">
          <button type="button" className="button push" onClick={onClose}>
            {say('app.cancel')}
          </button>
          <button className="button danger">{say('comment.delete')}</button>
        </div>
      </form>
    </Dialog>
  );
}
