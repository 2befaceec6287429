/** The form for the description of a file. */
import { useState } from 'react';
import { DescribeAttachmentDocument, type AttachmentRowFragment } from '../generated/documents';
import { moorage } from '../service';
import { Dialog } from '../shell/dialog';
import { reasonOf } from '../shell/failure';
import { say } from '../words';
import { replace } from './attachments-query';

interface Props {
  file: AttachmentRowFragment;
  containerId: string;
  onEnd: () => void;
}

export function DescriptionForm({ file, containerId, onEnd }: Props) {
  const [text, setText] = useState(file.description.raw);
  const [wrong, setWrong] = useState<string>();
  async function save(description: string): Promise<void> {
    try {
      const { updateAttachment } = await moorage.mutate(DescribeAttachmentDocument, {
        id: file.id,
        description,
      });
      replace(containerId, updateAttachment.attachment);
      onEnd();
    } catch (error) {
      setWrong(reasonOf(error));
    }
  }
  return (
    <form
      className="describe"
      onSubmit={(event) => {
        event.preventDefault();
        void save(text);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // A dialog around it stays open.
        event.preventDefault();
        onEnd();
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
        <button type="button" className="button" onClick={onEnd}>
          {say('app.cancel')}
        </button>
      </div>
    </form>
  );
}

/** The same in a dialog, for a file of a list. */
export function DescribeDialog(props: Props) {
  const title = say('files.describeTitle', { name: props.file.fileName });
  return (
    <Dialog label={title} className="small" onClose={props.onEnd}>
      <h2>{title}</h2>
      <DescriptionForm {...props} />
    </Dialog>
  );
}
